import { Button, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { TeamDetail } from '../../../src/people/team-api-contract.ts';
import { teamsApi } from '../../../src/people/team-api-contract.ts';
import { send } from '../api/call.ts';
import { endingOf } from '../api/ending.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { showFailure, showToast } from '../kit/toast.ts';
import { t } from '../language/t.ts';

/** Deletes a team. While something still belongs to the team, the dialog lists that instead. */
export function DeleteTeam({ detail, close }: { detail: TeamDetail; close: () => void }) {
  const { team, belongings } = detail;
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationKey: endingOf(team.slug),
    mutationFn: () => send(teamsApi.remove, { params: { id: team.id } }),
    onSuccess: async () => {
      showToast(`The team ${team.name} is gone.`);
      await navigate({ to: '/teams' });
      await client.invalidateQueries({ queryKey: ['teams'] });
      void client.invalidateQueries({ queryKey: ['on-call'] });
    },
    onError: showFailure,
  });
  const held = Object.entries(belongings).filter(([, count]) => count > 0);
  if (held.length > 0)
    return (
      <Modal opened onClose={close} title={`${team.name} cannot be deleted`}>
        <div className="stack" style={{ gap: 16 }}>
          <p className="muted">
            It still has{' '}
            {held
              .map(([what, count]) => countWords(count, what === 'sources' ? 'page sources' : what))
              .join(', ')}
            .{' '}
            {belongings.pages + belongings.moments > 0
              ? t(
                  'Deleting the team would delete its history, which is kept as a record of what happened. To retire the team, delete its schedules, revoke its page sources and webhooks, and remove its members. Nobody can be paged through it then.',
                )
              : t(
                  'Delete its schedules first. A team that ever had page sources or webhooks stays, with what they received.',
                )}
          </p>
          <div className="row" style={{ justifyContent: 'flex-end' }}>
            <Button variant="default" onClick={close}>
              {t('Close')}
            </Button>
          </div>
        </div>
      </Modal>
    );
  return (
    <ConfirmDialog
      title={`Delete ${team.name}?`}
      keep={t('Keep it')}
      go="Delete"
      busy={remove.isPending}
      close={close}
      act={() => remove.mutate()}
    >
      Whatever pages {team.slug} is refused from then on. Its members stay in the organization. It cannot be
      brought back.
    </ConfirmDialog>
  );
}

/** The service counts to a thousand at most. */
function countWords(count: number, many: string): string {
  if (count >= 1_000) return `a thousand ${many} or more`;
  return count === 1 ? `1 ${many.replace(/s$/, '')}` : `${count} ${many}`;
}
