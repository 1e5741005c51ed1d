import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ProblemShown } from '../../../src/problems/api-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { Empty, Unread } from '../kit/states.tsx';
import { zoneName } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { ListHead } from '../kit/view-head.tsx';
import { When } from '../kit/when.tsx';
import { Rich } from '../language/rich.tsx';
import { t, tIn } from '../language/t.ts';
import { isSource } from '../webhooks/integration-names.ts';
import { problemListQuery } from './queries.ts';
import { problemWords } from './words.ts';

/** Problems between the service and the tools and providers around it, with a fix for each. */
export function ProblemsView() {
  const { show } = useSearch({ from: '/problems' });
  const navigate = useNavigate();
  return (
    <div className="view">
      <ListHead
        name={t('Problems')}
        about={t('resolved automatically once fixed · times in {zone}', { zone: zoneName() })}
      >
        <SegmentedControl
          aria-label={t('Which problems')}
          value={show ?? 'open'}
          onChange={(value) =>
            void navigate({ to: '/problems', search: value === 'closed' ? { show: 'closed' } : {} })
          }
          data={[
            { value: 'open', label: t('Open') },
            { value: 'closed', label: t('Closed') },
          ]}
        />
      </ListHead>
      <Problems state={show ?? 'open'} />
    </div>
  );
}

function Problems({ state }: { state: 'open' | 'closed' }) {
  const { data, error, refetch } = useQuery(problemListQuery(state));
  if (!data) return <Unread error={error} again={refetch} rows={3} />;
  if (data.problems.length === 0)
    return (
      <Empty>
        {state === 'open'
          ? t(
              'No problems: every channel works, notifications get through, and every webhook and page source can read its calls.',
            )
          : t('No problem has been closed yet.')}
      </Empty>
    );
  return (
    <div className="stack">
      {data.problems.map((problem) => (
        <Problem key={problem.id} problem={problem} />
      ))}
    </div>
  );
}

const ENDED_URLS = ['expired', 'former_url', 'revoked'];

/** A problem. `linked`: with a link to the webhook or page source that it concerns. */
export function Problem({ problem, linked = true }: { problem: ProblemShown; linked?: boolean }) {
  const now = useNow(60_000);
  const { webhook, person, code, message, fix, count, first_at, last_at, last_address, closed_at } = problem;
  return (
    <article className="card pad stack" style={{ gap: 8 }}>
      <div className="row wrap">
        <Pill tone={closed_at ? 'calm' : 'watch'} dot>
          {closed_at ? tIn('the state of a problem', 'closed') : tIn('the state of a problem', 'open')}
        </Pill>
        <b className="grow" style={{ minWidth: 200 }}>
          {problemWords(problem)}
        </b>
        <span className="faint tabular">{t('{count, plural, =1 {once} other {# times}}', { count })}</span>
      </div>
      <span className="mono wordwrap">{message}</span>
      {!closed_at && <p>{fix}</p>}
      <span className="muted">
        <Rich
          text="since {first}, last {last}{seen, select, yes { from {address}} other {}}{state, select, closed {, closed {closed}} other {}}"
          first={<When at={first_at} now={now} />}
          last={<When at={last_at} now={now} />}
          seen={last_address ? 'yes' : 'no'}
          address={last_address}
          state={closed_at ? 'closed' : 'open'}
          closed={closed_at && <When at={closed_at} now={now} />}
        />
      </span>
      {person && (
        <div className="row wrap">
          <Link className="link" to="/people/$id" params={{ id: person.id }}>
            {person.name}
          </Link>
        </div>
      )}
      {webhook && (
        <div className="row wrap">
          {/* Calls to URLs that have ended are not kept. */}
          {!ENDED_URLS.includes(code) && (
            <Link className="link" to="/notifications" search={{ webhook: webhook.id, state: 'error' }}>
              {t('What failed')}
            </Link>
          )}
          {linked && code !== 'revoked' && (
            <Link
              className="link"
              to={isSource(webhook.id) ? '/sources/$id' : '/webhooks/$id'}
              params={{ id: webhook.id }}
            >
              {isSource(webhook.id) ? t('The page source') : t('The webhook')}
            </Link>
          )}
        </div>
      )}
    </article>
  );
}
