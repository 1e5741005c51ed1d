import { CHANNEL } from '../../../../src/notifications/channels/contract.ts';
import type { PlannedShown, RuleShown, UrgencyRules } from '../../../../src/people/rules-contract.ts';
import { t } from '../../language/t.ts';
import { afterWords } from '../after-words.ts';
import classes from './rules.module.css';

/** Rules as a timeline of the notifications that they send, and of their destinations. */
export function RulesTimeline({ shown }: { shown: UrgencyRules }) {
  const { rules, plan, warnings } = shown;
  const general = warnings.filter(({ rule }) => rule === null);
  const warningOf = (index: number) => warnings.find(({ rule }) => rule === index)?.message ?? null;
  /** Steps of one kind often fail for one reason, such as the calls of the defaults; only the first of them names it. */
  const isSaid = (message: string | null, index: number) =>
    rules.slice(0, index).some((_, earlier) => warningOf(earlier) === message);
  return (
    <>
      {general.map(({ message }) => (
        <p key={message} className="ink-watch">
          {message}
        </p>
      ))}
      <ol className={classes.timeline}>
        {rules.map((rule, index) => {
          const warning = warningOf(index);
          return (
            <Step
              // biome-ignore lint/suspicious/noArrayIndexKey: rules have no id
              key={index}
              rule={rule}
              planned={plan.filter(
                ({ after_minutes: after, channel }) =>
                  after === rule.after_minutes && rule.channels.includes(channel),
              )}
              deaf={warning !== null}
              warning={isSaid(warning, index) ? null : warning}
            />
          );
        })}
      </ol>
    </>
  );
}

function Step({
  rule,
  planned,
  deaf,
  warning,
}: {
  rule: RuleShown;
  planned: PlannedShown[];
  /** Whether it reaches nobody now. */
  deaf: boolean;
  warning: string | null;
}) {
  return (
    <li className={classes.step} data-deaf={deaf}>
      <span className={classes.when}>{afterWords(rule.after_minutes)}</span>
      <div className="stack tight">
        <ul className={classes.channels}>
          {inOrder(rule, planned).map((channel) => (
            <Channel
              key={channel}
              name={CHANNEL[channel].words.name}
              planned={planned.filter((one) => one.channel === channel)}
            />
          ))}
        </ul>
        {warning && <p className="ink-watch">{warning}</p>}
      </div>
    </li>
  );
}

/** Channels that reach something come first. */
function inOrder({ channels }: RuleShown, planned: readonly PlannedShown[]): RuleShown['channels'] {
  const works = (channel: PlannedShown['channel']) =>
    planned.some((one) => one.channel === channel && one.obstacle === null);
  return channels.toSorted((a, b) => Number(works(b)) - Number(works(a)));
}

function Channel({ name, planned }: { name: string; planned: PlannedShown[] }) {
  const works = planned.some(({ obstacle }) => obstacle === null);
  const values = planned.flatMap(({ method }) => (method ? [method.value] : []));
  return (
    <li className={classes.channel} data-works={works}>
      <b>{name}</b>
      {values.length > 0 && <span className="mono">{values.join(', ')}</span>}
      {!works && <span className="visually-hidden">{t('reaches nobody now')}</span>}
    </li>
  );
}
