import { Button } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type InvitationShown, invitationsApi } from '../../../src/sessions/invitation-contract.ts';
import { send } from '../api/call.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { Pill } from '../kit/pill.tsx';
import { showFailure, showToast } from '../kit/toast.ts';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { InviteMany } from './invite-many.tsx';
import { LinkMade } from './link-made.tsx';
import { roleName } from './role-names.ts';

const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: () => send(invitationsApi.list),
});

/** Shown only to those who may invite people. */
export function InviteButton() {
  const list = useQuery(invitationsQuery).data;
  const [open, setOpen] = useState<'one' | 'many' | null>(null);
  if (!list || list.roles.length === 0) return null;
  const close = () => setOpen(null);
  return (
    <>
      <Button variant="default" onClick={() => setOpen('many')}>
        {t('Invite several people')}
      </Button>
      <Button onClick={() => setOpen('one')}>{t('Invite')}</Button>
      {open === 'one' && <InviteDialog list={list} close={close} />}
      {open === 'many' && <InviteMany list={list} close={close} />}
    </>
  );
}

/** Open invitations; nothing when there are none. */
export function OpenInvitations() {
  const list = useQuery(invitationsQuery).data;
  const now = useNow(60_000);
  if (!list || list.invitations.length === 0) return null;
  return (
    <section className="stack" aria-label={t('Invited')}>
      <h2>{t('Invited')}</h2>
      <div className="card lines">
        {list.invitations.map((invitation) => (
          <InvitationLine key={invitation.id} invitation={invitation} emails={list.emails} now={now} />
        ))}
      </div>
    </section>
  );
}

function InvitationLine({
  invitation,
  emails,
  now,
}: {
  invitation: InvitationShown;
  emails: boolean;
  now: Date;
}) {
  const client = useQueryClient();
  const [url, setUrl] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const { id, email, name, role, teams, invited_by, expired, may_manage } = invitation;
  const copy = useMutation({
    mutationFn: () => send(invitationsApi.link, { params: { id }, body: { in_person: true } }),
    onSuccess: (made) => {
      setAsking(false);
      setUrl(made.url);
    },
    onError: showFailure,
  });
  const mail = useMutation({
    mutationFn: () => send(invitationsApi.send, { params: { id } }),
    onSuccess: () => showToast(t('Another email to {email} is on its way.', { email })),
    onError: showFailure,
  });
  const revoke = useMutation({
    mutationFn: () => send(invitationsApi.revoke, { params: { id } }),
    onSuccess: async () => {
      showToast(t('The invitation of {email} is withdrawn.', { email }));
      await client.invalidateQueries({ queryKey: ['invitations'] });
    },
    onError: showFailure,
  });
  return (
    <div className="line wrap">
      <div className="grow" style={{ minWidth: 220 }}>
        <b>{name ?? email}</b> {expired && <Pill tone="watch">{t('expired')}</Pill>}
        <div className="muted">
          {[name && email, roleName(role), ...teams].filter(Boolean).join(' · ')}
          {' · '}
          {invited_by ? (
            <Rich
              text="invited by {who} {when}"
              who={invited_by}
              when={<When at={invitation.created_at} now={now} />}
            />
          ) : (
            <Rich text="invited {when}" when={<When at={invitation.created_at} now={now} />} />
          )}
        </div>
      </div>
      {asking && (
        <ConfirmDialog
          title={t('Hand the link over to {name}?', { name: name ?? email })}
          keep={t('Cancel')}
          go={t('I will pass it on myself')}
          busy={copy.isPending}
          close={() => setAsking(false)}
          act={() => copy.mutate()}
        >
          {t('Anyone who has the link can join as this person. The audit log records that you confirmed it.')}
        </ConfirmDialog>
      )}
      {may_manage && (
        <div className="row wrap">
          {!expired && (
            <Button
              variant="default"
              loading={copy.isPending}
              onClick={() => setAsking(true)}
              aria-label={t('Link of {email}', { email })}
            >
              {t('Link')}
            </Button>
          )}
          {!expired && emails && (
            <Button
              variant="default"
              loading={mail.isPending}
              onClick={() => mail.mutate()}
              aria-label={t('Send again to {email}', { email })}
            >
              {t('Send again')}
            </Button>
          )}
          <Button
            variant="default"
            loading={revoke.isPending}
            onClick={() => revoke.mutate()}
            aria-label={t('Revoke the invitation of {email}', { email })}
          >
            {t('Revoke')}
          </Button>
        </div>
      )}
      {url && (
        <LinkMade
          title={t('The invitation of {email}', { email })}
          words={t('The link creates their account and works once.')}
          url={url}
          close={() => setUrl(null)}
        />
      )}
    </div>
  );
}
