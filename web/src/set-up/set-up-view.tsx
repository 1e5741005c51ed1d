import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { SendDrill } from '../drills/send-drill.tsx';
import { Unread } from '../kit/states.tsx';
import { t } from '../language/t.ts';
import { useSetUp } from './queries.ts';
import classes from './set-up.module.css';
import type { SetUpStep } from './steps.ts';

/** The remaining steps until the organization can be paged at night. */
export function SetUpView() {
  const { steps, error, again } = useSetUp();
  const left = steps?.filter(({ done }) => !done) ?? [];
  return (
    <div className="view" style={{ maxWidth: 760 }}>
      <header className="stack tight">
        <h1>{steps && left.length === 0 ? t('Ready for the night') : t('Set-up')}</h1>
        {steps && (
          <p className="muted">
            {left.length === 0
              ? t('Pages reach people, and somebody answers if the first person does not.')
              : t('{done} of {all} steps to being paged at night are done.', {
                  done: steps.length - left.length,
                  all: steps.length,
                })}
          </p>
        )}
      </header>
      {!steps && <Unread error={error} again={again} rows={7} />}
      {steps && (
        <ol className={`card lines ${classes.steps}`}>
          {steps.map((step) => (
            <Step key={step.name} step={step} next={step === left[0]} />
          ))}
        </ol>
      )}
    </div>
  );
}

function Step({ step: { name, done, state, link, go, drill }, next }: { step: SetUpStep; next: boolean }) {
  return (
    <li
      className={`line ${classes.step}`}
      data-done={done || undefined}
      aria-current={next ? 'step' : undefined}
    >
      <span className={classes.mark} aria-hidden="true">
        {done ? '✓' : ''}
      </span>
      <div className="grow">
        <b>{name}</b>
        <span className="visually-hidden">{done ? `, ${t('done')}` : `, ${t('to do')}`}</span>
        <div className="muted">{state}</div>
      </div>
      {drill ? (
        <SendDrill team={null} variant={next ? 'filled' : 'default'} />
      ) : (
        <Button
          variant={next ? 'filled' : done ? 'subtle' : 'default'}
          renderRoot={(props) => <Link {...props} {...link} />}
          aria-label={`${go}: ${name}`}
        >
          {go}
        </Button>
      )}
    </li>
  );
}
