import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { HandoffFacts } from '../../../src/handoffs/contract.ts';
import { Pill } from '../kit/pill.tsx';
import { shortRange, shortTime } from '../kit/time.ts';
import { t } from '../language/t.ts';
import { stateName } from '../pages/words.ts';

/** What the service knows that the next people on call should know. Lists without entries are left out. */
export function Facts({ facts, since, now }: { facts: HandoffFacts; since: string; now: Date }) {
  const { open_pages, windows, problems, covers, gaps, published_at } = facts;
  return (
    <>
      <section className="stack" aria-label={t('Open pages')}>
        <h2>{t('Open pages')}</h2>
        {open_pages.items.length === 0 ? (
          <p className="muted">{t('None.')}</p>
        ) : (
          <Lines list={open_pages}>
            {({ id, title, urgency, state, created_at }) => (
              <div key={id} className="line wrap">
                <div className="grow">
                  <Link className="link" to="/pages/$id" params={{ id }}>
                    {title}
                  </Link>
                  <div className="muted">
                    {t(
                      '{urgency, select, high {high urgency} medium {medium urgency} other {low urgency}}, since {time}',
                      { urgency, time: shortTime(created_at, now) },
                    )}
                  </div>
                </div>
                <Pill tone={state === 'acknowledged' ? 'watch' : 'alarm'} dot>
                  {stateName(state)}
                </Pill>
              </div>
            )}
          </Lines>
        )}
      </section>
      <section className="stack" aria-label={t('Pages since the last hand-off')}>
        <h2>{t('Pages since {time}', { time: shortTime(since, now) })}</h2>
        <Rang rang={facts.rang} />
      </section>
      <Listed title={t('Nobody is on call')} list={gaps}>
        {({ stage, starts_at, ends_at }) => (
          <div key={`${stage} ${starts_at}`} className="line">
            {t('{times}, stage {stage}', { times: shortRange(starts_at, ends_at, now), stage })}
          </div>
        )}
      </Listed>
      <Listed title={t('Covers and overrides')} list={covers}>
        {({ stage, starts_at, ends_at, person, instead_of, is_new }) => (
          <div key={`${stage} ${starts_at} ${person.id}`} className="line wrap">
            <div className="grow">
              <b>{person.name}</b>
              {instead_of && ` ${t('instead of {name}', { name: instead_of.name })}`}
              <div className="muted">
                {t('{times}, stage {stage}', { times: shortRange(starts_at, ends_at, now), stage })}
              </div>
            </div>
            {is_new && <Pill tone="info">{t('new')}</Pill>}
          </div>
        )}
      </Listed>
      <Listed title={t('Maintenance windows and silences')} list={windows}>
        {({ id, name, ends_at }) => (
          <div key={id} className="line wrap">
            <Link className="link grow" to="/windows/$id" params={{ id }}>
              {name}
            </Link>
            <span className="muted">{t('until {time}', { time: shortTime(ends_at, now) })}</span>
          </div>
        )}
      </Listed>
      <Listed title={t('Problems')} list={problems}>
        {({ message, fix }) => (
          <div key={message} className="line">
            <div>
              {message}
              <div className="muted">{fix}</div>
            </div>
          </div>
        )}
      </Listed>
      {published_at && (
        <p className="muted">
          {t('A new plan was published {time}.', { time: shortTime(published_at, now) })}
        </p>
      )}
    </>
  );
}

function Rang({ rang: { pages, high, expired, titles } }: { rang: HandoffFacts['rang'] }) {
  if (pages === 0) return <p className="muted">{t('None.')}</p>;
  return (
    <>
      <p className="muted">
        {t(
          '{pages, plural, =1 {1 page} other {# pages}}, {high} at high urgency{expired, plural, =0 {} other {, # unanswered}}.',
          { pages, high, expired },
        )}
      </p>
      <div className="card lines">
        {titles.map(({ title, pages: times }) => (
          <div key={title} className="line">
            <span className="grow" style={{ overflowWrap: 'anywhere' }}>
              {title}
            </span>
            <span className="muted">{times} ×</span>
          </div>
        ))}
      </div>
    </>
  );
}

type List<Item> = { items: readonly Item[]; more: number };

function Listed<Item>({
  title,
  list,
  children,
}: {
  title: string;
  list: List<Item>;
  children: (item: Item) => ReactNode;
}) {
  if (list.items.length === 0) return null;
  return (
    <section className="stack" aria-label={title}>
      <h2>{title}</h2>
      <Lines list={list}>{children}</Lines>
    </section>
  );
}

function Lines<Item>({
  list: { items, more },
  children,
}: {
  list: List<Item>;
  children: (item: Item) => ReactNode;
}) {
  return (
    <>
      <div className="card lines">{items.map(children)}</div>
      {more > 0 && <p className="muted">{t('And {count} more.', { count: more })}</p>}
    </>
  );
}
