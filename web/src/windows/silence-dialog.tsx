import { SegmentedControl, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { windowsApi } from '../../../src/sources/windows-api-contract.ts';
import { send } from '../api/call.ts';
import { serviceNow } from '../kit/clock.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { shortTime } from '../kit/time.ts';
import { showUndo } from '../kit/undo.tsx';
import { viewerZone } from '../kit/zones.ts';
import { Rich } from '../language/rich.tsx';
import { listed, t } from '../language/t.ts';
import { LabelChoice } from './label-choice.tsx';
import { lastWeekWords } from './last-week.ts';
import { morningAfter } from './morning.ts';
import { endWindow, type NewWindow, previewQuery } from './queries.ts';

/** What a silence is made from: a page or a moment of a page source. */
export type Silenceable = {
  from: { page: string } | { moment: string };
  title: string;
  source: { id: string; name: string };
  /** Null when it has none, or when it is not known here. */
  dedupKey: string | null;
  /** The page notifies people until somebody answers it. */
  notifying: boolean;
};

const TIMES = [
  { value: '30', label: t('30 min') },
  { value: '60', label: '1 h' },
  { value: '240', label: '4 h' },
  { value: 'morning', label: t('Morning') },
  { value: 'other', label: t('Other') },
];
type What = 'this' | 'labels' | 'source';

/** Silences an alert, what has labels of it, or all of its source, for a time; says in words what will page nobody, and until when. */
export function SilenceDialog({ about, close }: { about: Silenceable; close: () => void }) {
  const zone = viewerZone();
  const [opened] = useState(() => serviceNow());
  const [time, setTime] = useState('60');
  const [other, setOther] = useState(() => zone.toInput(opened.getTime() + 8 * 3_600_000));
  const [what, setWhat] = useState<What>('this');
  const [labels, setLabels] = useState<string[]>([]);
  const client = useQueryClient();
  const until = untilOf(time, other);
  const wanted: NewWindow = {
    ...(what === 'source'
      ? { source: about.source.id, silence: true, name: wholeName(about) }
      : { ...about.from, ...(what === 'labels' && labels.length > 0 ? { labels } : {}) }),
    ...(Number.isNaN(Number(time))
      ? { ends_at: new Date(until ?? opened.getTime()).toISOString() }
      : { minutes: Number(time) }),
  };
  const preview = useQuery({ ...previewQuery(wanted), enabled: until !== null }).data;
  // The preview of all of the source lists none.
  const known = useRef<readonly string[]>([]);
  if (preview && what !== 'source') known.current = preview.labels;
  const undecided = what === 'labels' && labels.length === 0;
  const lastWeek = preview?.last_week && !undecided ? lastWeekWords(preview.last_week) : null;
  const make = useMutation({
    mutationFn: () => send(windowsApi.create, { body: wanted }),
    onSuccess: async (made) => {
      close();
      const refresh = () => client.invalidateQueries({ queryKey: ['windows'] });
      showUndo(t('Silenced until {time}.', { time: shortTime(made.ends_at, serviceNow()) }), async () => {
        await endWindow(made);
        await refresh();
      });
      await refresh();
    },
  });
  return (
    <FormDialog
      title={t('Silence')}
      close={close}
      send={() => make.mutate()}
      go={t('Silence')}
      ready={until !== null && !undecided}
      busy={make.isPending}
      error={otherError(make.error, ['ends_at'])}
    >
      <SegmentedControl
        aria-label={t('How long')}
        fullWidth
        data={TIMES}
        value={time}
        onChange={setTime}
        data-autofocus
      />
      {time === 'other' && (
        <TextInput
          type="datetime-local"
          label={t('Until, in {zone}', { zone: zone.city })}
          value={other}
          onChange={(event) => setOther(event.currentTarget.value)}
          error={until === null ? t('Give a later time.') : fieldError(make.error, 'ends_at')}
          required
        />
      )}
      <SegmentedControl
        aria-label={t('What to silence')}
        fullWidth
        data={[
          { value: 'this', label: t('This alert') },
          ...(known.current.length > 0 ? [{ value: 'labels', label: t('Same labels') }] : []),
          { value: 'source', label: t('All of {source}', { source: about.source.name }) },
        ]}
        value={what}
        onChange={(value) => setWhat(value as What)}
      />
      {what === 'labels' && <LabelChoice labels={known.current} chosen={labels} choose={setLabels} />}
      <div className="card pad stack tight" role="status">
        <span style={{ overflowWrap: 'anywhere' }}>
          <Rich
            text="{what, select, this {<b>“{title}”</b> from {source}} source {<b>Everything that {source} reports</b>} labels {<b>Everything that {source} reports with {labels}</b>} other {<b>Everything that {source} reports with the labels that you choose</b>}}{known, select, yes { pages nobody until {time}.} other {}}"
            b={(subject) => <b>{subject}</b>}
            what={what === 'labels' && labels.length === 0 ? 'undecided' : what}
            title={about.title}
            source={about.source.name}
            labels={listed(labels)}
            known={until === null ? 'no' : 'yes'}
            time={until !== null && shortTime(new Date(until).toISOString(), opened)}
          />
        </span>
        {what === 'this' && about.dedupKey !== null && (
          <span className="muted" style={{ overflowWrap: 'anywhere' }}>
            {t('Dedup key')} <code className="mono">{about.dedupKey}</code>
          </span>
        )}
        <span className="muted">
          {t('Alerts that are still open then page.')}
          {lastWeek ? ` ${lastWeek}` : ''}
        </span>
        {about.notifying && (
          <span className="ink-watch">
            {t('This page keeps notifying. Acknowledge or resolve it to stop that.')}
          </span>
        )}
      </div>
    </FormDialog>
  );

  /** Null when the time is unreadable or past. */
  function untilOf(chosen: string, typed: string): number | null {
    if (chosen === 'morning') return morningAfter(opened.getTime(), zone);
    const at = chosen === 'other' ? zone.fromInput(typed) : opened.getTime() + Number(chosen) * 60_000;
    return at !== null && at > opened.getTime() ? at : null;
  }
}

/** At most as long as the name of a window may be. */
function wholeName({ source }: Silenceable): string {
  return t('All of {source}', { source: source.name }).slice(0, 200);
}
