import { Modal } from '@mantine/core';
import { OWN_PLACES, PLACES } from './navigation.ts';

const KEYS = [
  ['A', 'Acknowledge the page that rings, is shown, or is selected in the list'],
  ['O', 'Open the page that rings'],
  ['R', 'Resolve the page or the moment that is shown or selected'],
  ['⇧ R', 'Reopen the moment that is shown'],
  ['E', 'Escalate the page that is shown'],
  ['P', 'Page someone'],
  ['J K or ↓ ↑', 'The next and the previous line of a list; Enter opens it'],
  ['X', 'Select the line of a list, or no longer; A and R then act on all selected ones'],
  ['Alt ↑ and Alt ↓', 'Move the rule of a page source that you are editing'],
  ['M', 'Move or resize the shift that has the focus: ← and →, Tab for its start or end, Enter to drop it'],
  ['Esc', 'Close what lies over the view, or select nothing'],
  ['⌘ K or Ctrl K', 'Find a person, a team, a schedule, a page, a moment or a place, or do something'],
  ...[...PLACES, ...OWN_PLACES].map(({ key, label }) => [`Alt ${key.toUpperCase()}`, label] as const),
  ['?', 'This list'],
] as const;

export function Shortcuts({ opened, close }: { opened: boolean; close: () => void }) {
  return (
    <Modal opened={opened} onClose={close} title="Keyboard">
      <dl style={{ display: 'grid', gridTemplateColumns: 'auto 1fr', gap: '8px 16px', margin: 0 }}>
        {KEYS.map(([key, what]) => (
          <div key={key} style={{ display: 'contents' }}>
            <dt>
              <kbd className="kbd">{key}</kbd>
            </dt>
            <dd style={{ margin: 0 }}>{what}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
