import { Button, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { type ComposeBody, composeApi } from '../../../src/pages/compose-api-contract.ts';
import { Refusal, sendOnce } from '../api/call.ts';
import { fieldText } from '../kit/detail.ts';
import { showFailure } from '../kit/toast.ts';
import { useUnsaved } from '../kit/use-unsaved.ts';
import { ListHead } from '../kit/view-head.tsx';
import { t } from '../language/t.ts';
import classes from './compose.module.css';
import { PreviewView } from './preview-view.tsx';
import { type Recipient, RecipientField } from './recipient-field.tsx';

type Urgency = 'low' | 'medium' | 'high';

const URGENCY_WORDS: Record<Urgency, string> = {
  high: t('Wakes people: every channel, calls after two minutes, the next stage when nobody answers.'),
  medium: t('No calls; the next stage after three times the usual delay.'),
  low: t('Quiet channels only; it does not escalate.'),
};

/** Raises a page, after a preview of everybody it would reach. */
export function ComposeView() {
  const search = useSearch({ from: '/pages/new' });
  const [to, setTo] = useState<Recipient>({ kind: search.kind ?? 'team', recipient: search.to ?? '' });
  const [urgency, setUrgency] = useState<Urgency>('high');
  const [title, setTitle] = useState(search.title ?? '');
  const [text, setText] = useState(search.text ?? '');
  const [source, setSource] = useState(search.source ?? '');
  useUnsaved(
    title !== (search.title ?? '') || text !== (search.text ?? '') || source !== (search.source ?? ''),
  );
  const source_url = source.trim() === '' ? {} : { source_url: source.trim() };
  const raise = useRaise({ ...to, urgency, title, text, ...source_url }, search.moment);
  const problem = (field: string) => problemOf(raise.error, field);

  return (
    <div className="view">
      <ListHead name={t('Page someone')} about={search.moment && t('linked to a moment')} />
      <div className={classes.halves}>
        <form
          className="stack"
          style={{ gap: 18 }}
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            raise.mutate();
          }}
        >
          <RecipientField value={to} change={setTo} error={problem('recipient')} />
          <TextInput
            label={t('What is wrong')}
            description={t('In one line: this is what a phone shows at night')}
            required
            maxLength={200}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
            error={problem('title')}
          />
          <Textarea
            label={t('Details')}
            description={t('What you saw, what you tried, what you need. Markdown works.')}
            required
            autosize
            minRows={4}
            maxRows={16}
            maxLength={10_000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={problem('text')}
          />
          <TextInput
            label={t('Link')}
            description={t('To the alert or the dashboard, if there is one')}
            type="url"
            placeholder="https://"
            value={source}
            onChange={(event) => setSource(event.currentTarget.value)}
            error={problem('source_url')}
          />
          <div className="stack" style={{ gap: 6 }}>
            <span className={classes.label} id="urgency">
              {t('Urgency')}
            </span>
            <SegmentedControl
              aria-labelledby="urgency"
              value={urgency}
              onChange={(value) => setUrgency(value as Urgency)}
              data={[
                { value: 'high', label: t('High') },
                { value: 'medium', label: t('Medium') },
                { value: 'low', label: t('Low') },
              ]}
            />
            <span className="muted">{URGENCY_WORDS[urgency]}</span>
          </div>
          <div className="row">
            <Button
              type="submit"
              disabled={!to.recipient || !title.trim() || !text.trim()}
              loading={raise.isPending}
            >
              {t('Page now')}
            </Button>
          </div>
        </form>
        <section className="stack" aria-label={t('Preview')}>
          <h2>{t('What will happen')}</h2>
          <PreviewView body={{ ...to, urgency }} />
        </section>
      </div>
    </div>
  );
}

function useRaise(body: ComposeBody, moment: string | undefined) {
  const navigate = useNavigate();
  const key = useKeyOf(JSON.stringify(body));
  return useMutation({
    mutationFn: () => sendOnce(key(), composeApi.raise, { body: { ...body, ...(moment ? { moment } : {}) } }),
    onSuccess: async ({ page_id }) => {
      await navigate({ to: '/pages/$id', params: { id: page_id } });
    },
    onError: (error) => {
      if (!(error instanceof Refusal) || error.details.length === 0) showFailure(error);
    },
  });
}

/**
 * The idempotency key: sending the same content again, for example after a broken connection, raises no second page.
 */
function useKeyOf(body: string): () => string {
  const last = useRef({ body: '', key: '' });
  return () => {
    if (last.current.body !== body) last.current = { body, key: crypto.randomUUID() };
    return last.current.key;
  };
}

function problemOf(error: Error | null, field: string): string | undefined {
  if (!(error instanceof Refusal)) return undefined;
  const found = error.details.find((detail) => detail.field === field);
  return found && fieldText(found);
}
