import { useQuery } from '@tanstack/react-query';
import { t } from '../language/t.ts';
import { activeWindowsQuery } from './queries.ts';
import { SelectableWindows } from './selectable-windows.tsx';
import { WindowRow } from './window-row.tsx';

/** The alerts that are held or silenced now; nothing when every alert pages. */
export function QuietNow({ now }: { now: Date }) {
  const windows = useQuery(activeWindowsQuery).data?.windows ?? [];
  if (windows.length === 0) return null;
  return (
    <section className="stack" aria-label={t('Held or silenced now')}>
      <h2>{t('Held or silenced now')}</h2>
      <SelectableWindows windows={windows}>
        <div className="card lines">
          {windows.map((window) => (
            <WindowRow key={window.id} window={window} now={now} team />
          ))}
        </div>
      </SelectableWindows>
    </section>
  );
}
