import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { CallDetail } from '../../../src/webhooks/call-contract.ts';
import { Copy } from '../kit/copy.tsx';
import { commas, t } from '../language/t.ts';
import classes from './raw-call.module.css';
import { sizeWords } from './words.ts';

/** The body as received or formatted, and the headers without secrets. */
export function RawCall({ notification: { body, headers, bytes } }: { notification: CallDetail }) {
  const pretty = body.encoding === 'utf-8' ? prettyJson(body.content) : null;
  const [raw, setRaw] = useState(false);
  const text = pretty !== null && !raw ? pretty : body.content;
  return (
    <>
      <section className="stack" aria-label={t('Body')}>
        <div className="row wrap">
          <h2>{t('Body')}</h2>
          <span className="faint">
            {commas([
              sizeWords(bytes),
              ...(!body.whole && body.content !== '' ? [t('of which the beginning is kept')] : []),
              ...(body.encoding === 'base64' ? [t('not text: shown in base64')] : []),
            ])}
          </span>
          <span className="grow" />
          {pretty !== null && (
            <SegmentedControl
              aria-label={t('How to show the body')}
              value={raw ? 'raw' : 'pretty'}
              onChange={(value) => setRaw(value === 'raw')}
              data={[
                { value: 'pretty', label: t('Readable') },
                { value: 'raw', label: t('As received') },
              ]}
            />
          )}
          <Copy text={text} name={t('Copy the body')} />
        </div>
        {body.content === '' ? (
          <p className="muted">
            {bytes === 0 ? t('It was empty.') : t('It was not kept because the disk was short of space.')}
          </p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
          <pre className={`card mono ${classes.body}`} tabIndex={0}>
            {text}
          </pre>
        )}
      </section>
      <section className="stack" aria-label={t('Headers')}>
        <h2>{t('Headers')}</h2>
        <dl className={`card pad mono ${classes.headers}`}>
          {Object.entries(headers).map(([name, value]) => (
            <div key={name} className={classes.header}>
              <dt className="muted">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}

/** The text formatted as JSON; null when it is not JSON or already formatted. */
function prettyJson(text: string): string | null {
  try {
    const indented = JSON.stringify(JSON.parse(text), null, 2);
    return indented === text ? null : indented;
  } catch {
    return null;
  }
}
