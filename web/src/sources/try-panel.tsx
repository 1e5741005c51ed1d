import { Button, SegmentedControl, Select, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { SourceDetail } from '../../../src/sources/api-contract.ts';
import type { SourceSettings } from '../../../src/sources/contract.ts';
import { type TriedCall, type TryBody, tryApi } from '../../../src/sources/try-contract.ts';
import { CUSTOM } from '../../../src/webhooks/contract.ts';
import { send } from '../api/call.ts';
import { Steps } from '../compose/preview-view.tsx';
import { otherError } from '../kit/field-error.ts';
import { shortTime } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { t } from '../language/t.ts';
import { callWords } from './source-calls.tsx';
import { triedBody } from './tried-body.ts';
import { Tried, TriedRest } from './tried-event.tsx';
import { useTriable } from './use-tried-calls.ts';

const EXAMPLE = `{
  "title": "Disk full",
  "severity": "critical",
  "labels": { "env": "prod" }
}`;

type Values = { from: 'body' | 'call'; body: string; headers: string; call: string | null };

/** Shows what a call would do: one that is pasted, or one that was received. `unsaved`: settings to try instead of the saved ones. */
export function TryPanel({ source, unsaved }: { source: SourceDetail; unsaved: SourceSettings | null }) {
  const calls = useTriable(source) ?? [];
  const { values, set, attempt, run } = useAttempt(source, calls[0]?.id ?? null, unsaved);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run();
  };
  return (
    <section className="stack" aria-label={t('Try it')}>
      <div className="stack tight">
        <h2>{t('Try it')}</h2>
        <p className="muted">
          {t('See what a call would do now. Nothing is stored, and nobody is notified.')}
        </p>
      </div>
      <form className="card pad stack" onSubmit={submit}>
        {calls.length > 0 && (
          <SegmentedControl
            aria-label={t('What is tried')}
            value={values.from}
            onChange={(next) => set({ from: next === 'call' ? 'call' : 'body' })}
            data={[
              { value: 'call', label: t('Received call') },
              { value: 'body', label: t('A new call') },
            ]}
          />
        )}
        {values.from === 'call' ? (
          <CallField calls={calls} value={values.call} set={(call) => set({ call })} />
        ) : (
          <BodyFields values={values} set={set} />
        )}
        <div className="row wrap">
          <Button
            type="submit"
            variant="default"
            loading={attempt.isPending}
            disabled={values.from === 'call' ? values.call === null : values.body.trim() === ''}
          >
            {t('Try it')}
          </Button>
          {unsaved && <span className="ink-watch">{t('With the rules above, which are not saved.')}</span>}
        </div>
        {attempt.error && (
          <p className="ink-alarm wordwrap" role="alert">
            {otherError(attempt.error, [])}
          </p>
        )}
      </form>
      {attempt.data && isSame(attempt.variables.settings, unsaved) && <Result tried={attempt.data} />}
    </section>
  );
}

/** The call that is tried, at first the newest one, and its result. A change of the form removes the result. */
function useAttempt({ id, type }: SourceDetail, newest: string | null, unsaved: SourceSettings | null) {
  const [chosen, setChosen] = useState<Partial<Values>>({});
  const values: Values = {
    ...{ from: newest === null ? 'body' : 'call', call: newest, headers: '' },
    body: type === CUSTOM ? EXAMPLE : '',
    ...chosen,
  };
  const attempt = useMutation({
    mutationFn: (body: TryBody) => send(tryApi.tryCall, { params: { id }, body }),
  });
  return {
    values,
    attempt,
    set(next: Partial<Values>) {
      attempt.reset();
      setChosen({ ...chosen, ...next });
    },
    run() {
      const { from, call, body, headers } = values;
      const given = from === 'call' ? { call: call ?? '' } : triedBody(body, headers);
      attempt.mutate({ ...given, ...(unsaved ? { settings: unsaved } : {}) });
    },
  };
}

/** A result is of no use once the rules changed. */
function isSame(tried: TryBody['settings'], unsaved: SourceSettings | null): boolean {
  return JSON.stringify(tried ?? null) === JSON.stringify(unsaved);
}

function CallField({
  calls,
  value,
  set,
}: {
  calls: NonNullable<ReturnType<typeof useTriable>>;
  value: string | null;
  set: (id: string | null) => void;
}) {
  const now = useNow(60_000);
  return (
    <Select
      label={t('Received call')}
      data={calls.map((call) => ({
        value: call.id,
        label: `${shortTime(call.received_at, now)} · ${callWords(call)}`,
      }))}
      value={value}
      onChange={set}
      allowDeselect={false}
    />
  );
}

function BodyFields({ values, set }: { values: Values; set: (next: Partial<Values>) => void }) {
  return (
    <>
      <Textarea
        label={t('Body')}
        description={t('What the tool sends: JSON, or any other text.')}
        placeholder={t('Paste the body of a call here')}
        autosize
        minRows={4}
        maxRows={16}
        spellCheck={false}
        classNames={{ input: 'mono-input' }}
        value={values.body}
        onChange={(event) => set({ body: event.currentTarget.value })}
      />
      <Textarea
        label={t('Headers')}
        description={t(
          'One per line, for tools that use them, such as X-GitHub-Event: issues. Usually none.',
        )}
        autosize
        minRows={1}
        maxRows={6}
        spellCheck={false}
        classNames={{ input: 'mono-input' }}
        value={values.headers}
        onChange={(event) => set({ headers: event.currentTarget.value })}
      />
    </>
  );
}

function Result({ tried }: { tried: TriedCall }) {
  return (
    <div className="stack" role="status" aria-label={t('Result')}>
      <b>{tried.message}</b>
      {tried.events.map((event, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events have no id, and never change their order
        <div key={index} className="stack">
          <div className="card pad">
            <Tried event={event} />
          </div>
          {event.steps.length > 0 && <Steps steps={event.steps} />}
        </div>
      ))}
      <TriedRest tried={tried} />
    </div>
  );
}
