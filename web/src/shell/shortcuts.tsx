import { Modal } from '@mantine/core';
import { t } from '../language/t.ts';
import { OWN_PLACES, PLACES } from './navigation.ts';

const KEYS = [
  ['A', t('Acknowledge the page that is ringing, shown, or selected in the list')],
  ['O', t('Open the page that rings')],
  ['R', t('Resolve the page or the moment that is shown or selected')],
  ['⇧ R', t('Reopen the moment that is shown')],
  ['E', t('Escalate the page that is shown')],
  ['P', t('Page someone')],
  [t('J K or ↓ ↑'), t('Next and previous row of a list; Enter opens it')],
  ['X', t('Select or unselect a row; A and R then act on all selected rows')],
  [t('Alt ↑ and Alt ↓'), t('Move the rule of a page source that you are editing')],
  [
    'M',
    t('Move or resize the shift that has the focus: ← and →, Tab for its start or end, Enter to drop it'),
  ],
  ['Esc', t('Close the open dialog, or clear the selection')],
  [t('⌘ K or Ctrl K'), t('Find a person, team, schedule, page, moment or view, or run a command')],
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
