import { Button } from '@mantine/core';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { fullTime } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';
import { useAct } from './use-act.ts';

/** When an acknowledgement times out, and the button that extends it. */
export function Reminder({ page }: { page: PageSummary }) {
  const now = useNow(30_000);
  const act = useAct(page.id);
  if (page.state !== 'acknowledged' || page.remind_at === null) return null;
  const left = Date.parse(page.remind_at) - now.getTime();
  return (
    <div className="card pad row wrap">
      <span className="grow">
        <Rich
          text="Notifies {who} again {when} unless resolved"
          who={page.acknowledged_by?.name ?? t('the people on call')}
          when={
            <time dateTime={page.remind_at} title={fullTime(page.remind_at)}>
              {leftWords(left)}
            </time>
          }
        />
      </span>
      {page.may_act && (
        <Button variant="default" loading={act.isPending} onClick={() => act.mutate({ name: 'extend' })}>
          {t('Extend')}
        </Button>
      )}
    </div>
  );
}

/** `in 24 min`, `in 5 h`. */
function leftWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes <= 1) return t('within a minute');
  return minutes < 120
    ? t('in {minutes} min', { minutes })
    : t('in {hours} h', { hours: Math.round(minutes / 60) });
}
