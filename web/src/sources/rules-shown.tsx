import { Fragment } from 'react';
import type { SourceDetail } from '../../../src/sources/api-contract.ts';
import { effectText } from '../../../src/sources/contract.ts';
import { t, tIn } from '../language/t.ts';

/** The rules of a source for people who may not change them. */
export function RulesShown({ source: { settings, team } }: { source: SourceDetail }) {
  const rules = settings.rules ?? [];
  return (
    <section className="stack" aria-label={t('Rules')}>
      <RulesHead team={team.name} />
      {rules.length === 0 && <p className="muted">{t('It has no rules.')}</p>}
      {rules.length > 0 && (
        <ol className="card lines" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {rules.map(({ match, then }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: saved rules have no identity besides their position
            <li key={index} className="line wrap" style={{ alignItems: 'baseline' }}>
              <b style={{ flex: 'none' }}>{t('Rule {number}', { number: index + 1 })}</b>
              <span className="grow wordwrap">
                {match.map((matcher, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: matchers have no identity besides their position
                  <Fragment key={place}>
                    {place > 0 && ` ${tIn('between two conditions', 'and')} `}
                    <code className="mono">{matcher}</code>
                  </Fragment>
                ))}
                {' → '}
                {effectText(then)}
              </span>
            </li>
          ))}
        </ol>
      )}
      <p className="muted">{t('The team’s managers, admins and owners can change them.')}</p>
    </section>
  );
}

/** How rules decide. `team`: the name of the team of the source. */
export function RulesHead({ team }: { team: string }) {
  return (
    <div className="stack tight">
      <h2>{t('Rules')}</h2>
      <p className="muted">
        {t(
          'The first rule that matches decides. If none does, the severity decides the urgency, and {team} is paged.',
          { team },
        )}
      </p>
    </div>
  );
}
