import { methodOf } from '../../../src/notifications/channels/contract.ts';
import type { PersonDetail } from '../../../src/people/person-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { Empty } from '../kit/states.tsx';
import { useNow } from '../kit/use-now.ts';
import { t } from '../language/t.ts';
import { MethodFacts } from '../profile/methods/method-facts.tsx';

/** A person's contact methods, as others see them. Only the person can change them. */
export function PersonMethods({ person }: { person: PersonDetail }) {
  const now = useNow(60_000);
  const { contact_methods: methods, disabled, reachable, why_not: why } = person;
  return (
    <section className="stack" aria-label={t('How they are reached')}>
      <h2>{t('How they are reached')}</h2>
      {!disabled && why && (
        <p className="card pad ink-watch" role="status">
          {reachable
            ? t('A page would reach {name} only in a dashboard that is open now: {why}.', {
                name: person.name,
                why: why ?? '',
              })
            : t('A page would not reach {name}: {why}.', { name: person.name, why: why ?? '' })}
        </p>
      )}
      {methods.length === 0 && (
        <Empty>{t('No contact method. People add their own, in their profile.')}</Empty>
      )}
      {methods.length > 0 && (
        <div className="card lines">
          {methods.map((method) => (
            <div className="line" key={method.id}>
              <div className="grow">
                <div className="row wrap" style={{ gap: '2px 10px' }}>
                  <b>{methodOf(method.type).name}</b>
                  <span className="mono" style={{ overflowWrap: 'anywhere' }}>
                    {method.value}
                  </span>
                  {!method.verified && <Pill tone="watch">{t('not verified')}</Pill>}
                  {method.verified && method.obstacle && <Pill tone="alarm">{t('cannot be used')}</Pill>}
                </div>
                <MethodFacts method={method} now={now} />
              </div>
            </div>
          ))}
        </div>
      )}
    </section>
  );
}
