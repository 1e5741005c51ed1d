import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { feedsApi } from '../../../src/calendars/api-contract.ts';
import { send } from '../api/call.ts';
import { CopyField } from '../kit/copy.tsx';
import { Unread } from '../kit/states.tsx';
import { t } from '../language/t.ts';

/** The secret URL at which calendar programs read this schedule. */
export function FeedDialog({ scheduleId, close }: { scheduleId: string; close: () => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['calendars', 'schedule', scheduleId],
    queryFn: () => send(feedsApi.create, { body: { kind: 'schedule', schedule: scheduleId } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Modal opened onClose={close} title={t('In your calendar')}>
      <div className="stack">
        <p className="muted">
          {t(
            'Subscribe to this address in your calendar. Anyone who has it can read the schedule, so keep it to yourself; you can change or remove it in your profile.',
          )}
        </p>
        {!data && <Unread error={error} again={refetch} rows={1} />}
        {data?.url && <CopyField text={data.url} name={t('Copy the address')} />}
      </div>
    </Modal>
  );
}
