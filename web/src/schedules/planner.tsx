import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { locale } from '../../../src/language/contract.ts';
import type { Draft, DraftBody } from '../../../src/planning/plan-api-contract.ts';
import { plansApi } from '../../../src/planning/plan-api-contract.ts';
import type { ScheduleSettings } from '../../../src/schedules/settings-contract.ts';
import { send } from '../api/call.ts';
import { asSentence } from '../kit/detail.ts';
import { Pill } from '../kit/pill.tsx';
import { inClock } from '../kit/time.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import type { Zone } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import { draftQuery, planQuery } from './queries.ts';
import classes from './schedules.module.css';

type Props = { schedule: ScheduleSettings; zone: Zone; now: number };

/** How the published plan was made, its gaps, and the draft of a new plan. */
export function Planner({ schedule, zone, now }: Props) {
  const plan = useQuery(planQuery(schedule.id)).data;
  const draft = useQuery(draftQuery(schedule.id)).data?.draft ?? null;
  const act = usePlanAct(schedule.id);
  const gaps = plan?.gaps ?? [];
  const shown = draft && draft.state !== 'published' && draft.state !== 'discarded' ? draft : null;
  return (
    <>
      {gaps.length > 0 && (
        <section className="card lines" aria-label={t('Gaps')}>
          {gaps.slice(0, 3).map((gap) => (
            <div key={`${gap.stage} ${gap.starts_at}`} className="line" style={{ alignItems: 'baseline' }}>
              <span className="dot ink-alarm" />
              <span className="grow">
                {inClock(asSentence(gap.sentence))}{' '}
                <span className="muted">
                  {gap.backstop
                    ? t('{name}, the backstop, answers then.', { name: gap.backstop.name })
                    : t('There is no backstop.')}
                </span>
              </span>
            </div>
          ))}
          {gaps.length > 3 && (
            <div className="line muted">
              {t('{count, plural, one {and # more gap} other {and # more gaps}}', { count: gaps.length - 3 })}
            </div>
          )}
        </section>
      )}
      {shown ? (
        <DraftCard draft={shown} act={act} mayManage={schedule.may_manage} />
      ) : (
        <div className="row wrap">
          <span className="muted grow">
            {plannedUntil(schedule, plan?.plan?.figures?.sentence, zone, now)}
          </span>
          {schedule.may_manage && (
            <Button
              variant="default"
              loading={act.isPending}
              onClick={() => act.mutate({ step: 'draft', body: { freedom: 'fresh' } })}
            >
              {t('Plan again')}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function plannedUntil(
  { planned_until }: ScheduleSettings,
  figures: string | undefined,
  zone: Zone,
  now: number,
): string {
  if (planned_until === null) return t('Not planned yet.');
  const time = zone.moment(Date.parse(planned_until), now);
  return figures
    ? t('Planned until {time}: {figures}', { time, figures })
    : t('Planned until {time}.', { time });
}

type Step =
  | { step: 'draft'; body: DraftBody }
  | { step: 'publish'; body: { draft: string } }
  | { step: 'discard' };

function usePlanAct(scheduleId: string) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ['schedules'] });
  return useMutation({
    mutationFn: (step: Step): Promise<unknown> => {
      const params = { id: scheduleId };
      if (step.step === 'draft') return send(plansApi.startDraft, { params, body: step.body });
      if (step.step === 'publish') return send(plansApi.publish, { params, body: step.body });
      return send(plansApi.discard, { params });
    },
    onSuccess: async (_, { step }) => {
      if (step === 'publish') showToast(t('Published. Everybody whose shifts change is notified.'));
      if (step === 'discard') showToast(t('The draft is discarded. The published plan stays.'));
      await refresh();
    },
    onError: (error) => {
      showFailure(error);
      void refresh();
    },
  });
}

function DraftCard({
  draft,
  act,
  mayManage,
}: {
  draft: Draft;
  act: ReturnType<typeof usePlanAct>;
  mayManage: boolean;
}) {
  const { state, preview, outdated, error, figures } = draft;
  const busy = state === 'waiting' || state === 'solving';
  const touched = preview?.people.filter(({ gains, loses }) => gains.shifts + loses.shifts > 0).length ?? 0;
  return (
    <section className={`card line wrap ${classes.draft}`} aria-label={t('Draft')}>
      <Pill tone="watch">{t('draft')}</Pill>
      <span className="grow" role="status">
        <b>{busy ? progressWords(draft) : (error ?? preview?.summary ?? t('Nothing changes.'))}</b>{' '}
        <span className="muted">{outdated ?? figures?.sentence}</span>
        {!draft.created_by && (
          <span className="muted">
            {' '}
            {t(
              'Created because people or hours changed; the published plan stays until you publish this one.',
            )}
          </span>
        )}
      </span>
      {mayManage && (
        <div className="row wrap">
          <Button
            variant="default"
            loading={isDoing(act, 'discard')}
            onClick={() => act.mutate({ step: 'discard' })}
          >
            {busy ? t('Stop') : t('Discard')}
          </Button>
          {(outdated || state === 'failed') && (
            <Button
              loading={isDoing(act, 'draft')}
              onClick={() => act.mutate({ step: 'draft', body: { freedom: draft.freedom } })}
            >
              {t('Create it again')}
            </Button>
          )}
          {state === 'draft' && !outdated && (
            <Button
              variant={touched === 0 ? 'default' : 'filled'}
              loading={isDoing(act, 'publish')}
              onClick={() => act.mutate({ step: 'publish', body: { draft: draft.id } })}
            >
              {touched === 0
                ? t('Publish')
                : t('{count, plural, =1 {Publish and notify 1 person} other {Publish and notify # people}}', {
                    count: touched,
                  })}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

function isDoing(act: ReturnType<typeof usePlanAct>, step: Step['step']): boolean {
  return act.isPending && act.variables?.step === step;
}

function progressWords({ progress }: Draft): string {
  if (!progress) return t('Waiting for its turn …');
  const times = { seconds: Math.round(progress.seconds), limit: Math.round(progress.limit_seconds) };
  if (progress.objective === null)
    return t('Planning: looking for a first plan, {seconds} s of {limit} s', times);
  if (progress.gap === null) return t('Planning: found a plan, {seconds} s of {limit} s', times);
  const gap = new Intl.NumberFormat(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return t('Planning: found a plan at most {gap} % from the best, {seconds} s of {limit} s', {
    ...times,
    gap: gap.format(progress.gap * 100),
  });
}
