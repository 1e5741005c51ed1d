/** The file of a calendar in place of its address; `take` gets its text, or null when none is chosen any more. */
export function CalendarFile({ take }: { take: (ics: string | null) => void }) {
  return (
    <label className="stack tight">
      <span>or a file</span>
      <input
        type="file"
        accept=".ics,text/calendar"
        onChange={async (event) => take((await event.currentTarget.files?.[0]?.text()) ?? null)}
      />
    </label>
  );
}
