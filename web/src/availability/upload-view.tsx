import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Copy } from '../kit/copy.tsx';
import { localeOf } from '../kit/time-formats.ts';
import { useNow } from '../kit/use-now.ts';
import { ListHead } from '../kit/view-head.tsx';
import { viewerZone } from '../kit/zones.ts';
import { Rich } from '../language/rich.tsx';
import { shownLanguage, t } from '../language/t.ts';
import classes from './availability.module.css';
import { useRecordsChanged } from './removing.ts';
import { textOfSheet } from './sheet-text.ts';
import { AvailabilityTabs } from './tabs.tsx';
import { type Outcome, sendUpload } from './upload.ts';
import { UploadTable } from './upload-table.tsx';

const EXAMPLE = `email,start_time,end_time,name
ada@example.com,2026-12-24T00:00:00+01:00,2026-12-27T00:00:00+01:00,Christmas`;

/** 24 December 2026 as a spreadsheet shows it in the language of the viewer. */
const EXAMPLE_DATE = new Intl.DateTimeFormat(localeOf(), { dateStyle: 'short', timeZone: 'UTC' }).format(
  Date.UTC(2026, 11, 24),
);

/** Uploads a file of absences: first a row-by-row preview, then save. */
export function UploadView() {
  const zone = viewerZone();
  const now = useNow(60_000).getTime();
  const [file, setFile] = useState<{ name: string; csv: string } | null>(null);
  const [over, setOver] = useState(false);
  const changed = useRecordsChanged();
  const upload = useMutation({
    mutationFn: ({ csv, save }: { csv: string; save: boolean }): Promise<Outcome> =>
      sendUpload(csv, save, zone.name),
    onSuccess: async (_, { save }) => (save ? changed() : undefined),
  });
  async function take(given: File | undefined): Promise<void> {
    if (!given) return;
    const csv = textOfSheet(await given.arrayBuffer(), shownLanguage);
    setFile({ name: given.name, csv });
    upload.mutate({ csv, save: false });
  }
  const outcome = upload.data;
  const saved = outcome?.ok === true && upload.variables?.save === true;
  return (
    <div className="view">
      <header className="stack">
        <ListHead name={t('Availability')} about={t('times in {zone}', { zone: zone.city })} />
        <AvailabilityTabs />
      </header>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a drop target; the input inside works by keyboard */}
      <div
        className={classes.drop}
        data-over={over ? '' : undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void take(event.dataTransfer.files[0]);
        }}
      >
        <span>
          <Rich
            text="Drop a CSV file with the columns <b>email</b>, <b>start_time</b>, and optionally <b>end_time</b> and <b>name</b>. You see a preview first; nothing is saved until you confirm."
            b={(column) => <b>{column}</b>}
          />
        </span>
        <span className="muted">
          {t(
            'A file of Excel works as it was saved: with semicolons, and dates such as {date}, in {zone} time.',
            {
              date: EXAMPLE_DATE,
              zone: zone.city,
            },
          )}
        </span>
        <label className="stack" style={{ justifyItems: 'center' }}>
          <span className="visually-hidden">{t('CSV file')}</span>
          <input
            type="file"
            accept=".csv,text/csv"
            // A browser does not report a file that is chosen again, such as after its correction.
            onClick={(event) => {
              event.currentTarget.value = '';
            }}
            onChange={(event) => void take(event.currentTarget.files?.[0])}
          />
        </label>
      </div>
      {!file && (
        <div className="row wrap" style={{ alignItems: 'flex-start' }}>
          <pre className="mono muted wordwrap grow" style={{ margin: 0 }}>
            {EXAMPLE}
          </pre>
          <Copy text={EXAMPLE} name={t('Copy the example')} />
        </div>
      )}
      {upload.isPending && <p role="status">{t('Reading {file} …', { file: file?.name ?? '' })}</p>}
      {upload.error && (
        <p role="alert" className="ink-alarm">
          {upload.error.message}
        </p>
      )}
      {file && outcome && !upload.isPending && (
        <>
          <div className="row wrap" role="status">
            <b className={`grow ${outcome.ok ? '' : 'ink-alarm'}`}>{outcome.message}</b>
            {outcome.ok && !saved && (
              <Button onClick={() => upload.mutate({ csv: file.csv, save: true })}>
                {t('{count, plural, =1 {Save 1 record} other {Save # records}}', {
                  count: outcome.rows.length,
                })}
              </Button>
            )}
          </div>
          <UploadTable outcome={outcome} zone={zone} now={now} />
        </>
      )}
    </div>
  );
}
