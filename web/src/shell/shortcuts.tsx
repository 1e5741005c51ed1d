import { Modal } from '@mantine/core';
import { t } from '../language/t.ts';
import { OWN_PLACES, PLACES } from './navigation.ts';

const KEYS = [
  ['A', t('Acknowledge the page that rings, is shown, or is selected in the list')],
  ['O', t('Open the page that rings')],
  ['R', t('Resolve the page or the moment that is shown or selected')],
  ['⇧ R', t('Reopen the moment that is shown')],
  ['E', t('Escalate the page that is shown')],
  ['P', t('Page someone')],
  [t('J K or ↓ ↑'), t('The next and the previous line of a list; Enter opens it')],
  ['X', t('Select the line of a list, or no longer; A and R then act on all selected ones')],
  [t('Alt ↑ and Alt ↓'), t('Move the rule of a page source that you are editing')],
  [
    'M',
    t('Move or resize the shift that has the focus: ← and →, Tab for its start or end, Enter to drop it'),
  ],
  ['Esc', t('Close what lies over the view, or select nothing')],
  [t('⌘ K or Ctrl K'), t('Find a person, a team, a schedule, a page, a moment or a place, or do something')],
  ...[...PLACES, ...OWN_PLACES].map(({ key, label }) => [`Alt ${key.toUpperCase()}`, label] as const),
  ['?', t('This list')],
] as const;

export function Shortcuts({ opened, close }: { opened: boolean; close: () => void }) {
  return (
    <Modal opened={opened} onClose={close} title={t('Keyboard')}>
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
