import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { requestsApi } from '../../../src/requests/api-contract.ts';
import type { StatusEnvelope } from '../../../src/requests/contract.ts';
import { send } from '../api/call.ts';
import { Copy } from '../kit/copy.tsx';
import { NotShown } from '../kit/not-shown.tsx';
import { Pill } from '../kit/pill.tsx';
import { exactTime, zoneName } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';
import { momentStateName } from '../moments/words.ts';
import { stateName } from '../pages/words.ts';
import { KIND_WORDS, STATUS_TONES, statusName } from './words.ts';

const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['requests', 'one', id],
    queryFn: () => send(requestsApi.show, { params: { id } }),
    refetchInterval: ({ state }) => (state.data && !state.data.response.finished_at ? 2_000 : false),
  });

/** One request with its result and its errors. */
export function RequestView() {
  const { id } = useParams({ from: '/requests/$id' });
  const { data, error, refetch } = useQuery(requestQuery(id));
  if (data) return <Known id={id} answer={data.response} />;
  return (
    <NotShown
      error={error}
      again={refetch}
      missing={t(
        'There is no request with this id in your organization; check that you copied the whole id.',
      )}
      to="/requests"
      back={t('All requests')}
    />
  );
}

function Known({ id, answer }: { id: string; answer: StatusEnvelope['response'] }) {
  const now = useNow(30_000);
  const { page, moments = [], errors } = answer;
  return (
    <div className="view">
      <header className="row wrap">
        <Link to="/requests" className="crumb">
          {t('Requests /')}
        </Link>
        <h1>{KIND_WORDS[answer.kind]}</h1>
        <Pill tone={STATUS_TONES[answer.status]} dot>
          {statusName(answer.status)}
        </Pill>
        <span className="muted">{t('times in {zone}', { zone: zoneName() })}</span>
      </header>
      <div className="card pad stack">
        <span className="row">
          <code className="mono wordwrap">{id}</code>
          <Copy text={id} name={t('Copy the id')} />
        </span>
        <p>{answer.message}</p>
        <p className="muted">
          <Rich text="Accepted {when}" when={<When at={answer.created_at} now={now} />} />
          {answer.finished_at && (
            <>
              {' · '}
              <Rich text="finished {when}" when={<When at={answer.finished_at} now={now} />} />
            </>
          )}
          {answer.next_attempt_at && (
            <>
              {' · '}
              <Rich text="tried again {when}" when={<When at={answer.next_attempt_at} now={now} />} />
            </>
          )}
          {' · '}
          {t('{count, plural, =1 {one attempt} other {# attempts}}', { count: answer.attempts })}
        </p>
        {page && (
          <Link className="link" to="/pages/$id" params={{ id: page.id }}>
            {t('Its page, {state}', { state: stateName(page.state) })}
          </Link>
        )}
        {moments.map((moment) => (
          <Link key={moment.id} className="link" to="/moments/$id" params={{ id: moment.id }}>
            {t('{name}, {state}', { name: moment.name, state: momentStateName(moment.state) })}
          </Link>
        ))}
      </div>
      {errors.length > 0 && (
        <section className="stack" aria-label={t('What went wrong')}>
          <h2>{t('What went wrong while notifying')}</h2>
          <div className="card lines">
            {errors.map(({ at, message }) => (
              <div key={`${at} ${message}`} className="line" style={{ alignItems: 'flex-start' }}>
                <time className="mono faint" dateTime={at}>
                  {exactTime(at)}
                </time>
                <span className="grow wordwrap">{message}</span>
              </div>
            ))}
          </div>
        </section>
      )}
    </div>
  );
}
