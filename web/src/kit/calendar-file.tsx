import { t } from '../language/t.ts';
/** Chooses a calendar file instead of an address. `take` gets its text, or null when the choice is removed. */
export function CalendarFile({ take }: { take: (ics: string | null) => void }) {
  return (
    <label className="stack tight">
      <span>{t('or a file')}</span>
      <input
        type="file"
        accept=".ics,text/calendar"
        onChange={async (event) => take((await event.currentTarget.files?.[0]?.text()) ?? null)}
      />
    </label>
  );
}
