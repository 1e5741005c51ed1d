import { Button, Checkbox, Modal, MultiSelect, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type InvitationList, invitationsApi } from '../../../src/sessions/invitation-contract.ts';
import { send } from '../api/call.ts';
import { Copy, CopyField } from '../kit/copy.tsx';
import { fieldError } from '../kit/field-error.ts';
import { useEntered } from '../kit/use-entered.ts';
import { t } from '../language/t.ts';
import { FormAlert } from '../sign-in/ended.tsx';
import { type Invitee, readInvitees } from './invited-list.ts';

type Outcome = { invitee: Invitee; url: string | null; problem: string | null };

/** Invites everybody of a pasted list as members, one after the other, and says what became of each. */
export function InviteMany({ list, close }: { list: InvitationList; close: () => void }) {
  const client = useQueryClient();
  const [text, setText] = useState('');
  const [teams, setTeams] = useState<string[]>(list.teams.length === 1 ? list.teams.map(({ id }) => id) : []);
  const [inPerson, setInPerson] = useState(false);
  const { people, problems } = readInvitees(text);
  const { entered, entering } = useEntered();
  const invite = useMutation({
    mutationFn: async () => {
      const outcomes: Outcome[] = [];
      // One at a time: the first may ask who the viewer is, and a mail server takes a list slowly.
      for (const invitee of people) outcomes.push(await inviteOne(invitee, teams, inPerson));
      return outcomes;
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['invitations'] }),
  });
  if (invite.data) return <Outcomes outcomes={invite.data} close={close} />;
  const ready = people.length > 0 && problems.length === 0;
  return (
    <Modal
      opened
      onClose={close}
      closeOnClickOutside={!entered}
      title={t('Invite several people')}
      closeButtonProps={{ 'aria-label': t('Cancel') }}
    >
      <form
        className="stack"
        style={{ gap: 16 }}
        {...entering}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          invite.mutate();
        }}
      >
        <Textarea
          label={t('People')}
          description={t('One email address per line, with the name if you like')}
          placeholder={'Ada Lovelace <ada@example.com>\ngrace@example.com'}
          autosize
          minRows={5}
          maxRows={12}
          maxLength={20000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={problems.length > 0 ? problems.slice(0, 3).join(' ') : null}
          data-autofocus
        />
        <MultiSelect
          label={t('Teams')}
          data={list.teams.map((team) => ({ value: team.id, label: team.name }))}
          value={teams}
          onChange={setTeams}
          searchable
          hidePickedOptions
        />
        {!list.emails && (
          <Checkbox
            label={t('I will pass on each link myself')}
            description={t(
              'Email is not set up here, so Tocsin cannot send it. Anyone who has the link can join as this person.',
            )}
            required
            checked={inPerson}
            onChange={(event) => setInPerson(event.currentTarget.checked)}
          />
        )}
        <FormAlert error={null} />
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button type="submit" disabled={!ready} loading={invite.isPending}>
            {people.length === 0
              ? t('Invite')
              : t('{count, plural, =1 {Invite 1 person} other {Invite # people}}', { count: people.length })}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

async function inviteOne({ email, name, id }: Invitee, teams: string[], inPerson: boolean): Promise<Outcome> {
  const invitee = { email, name, id };
  try {
    const body = { email, name, role: 'member' as const, teams, in_person: inPerson };
    const { url } = await send(invitationsApi.invite, { body });
    return { invitee, url, problem: null };
  } catch (error) {
    const problem = error instanceof Error ? error : new Error(String(error));
    return { invitee, url: null, problem: fieldError(problem, 'email') ?? problem.message };
  }
}

/** Who was invited, with the links to hand over, and who was not, with the reason. */
function Outcomes({ outcomes, close }: { outcomes: readonly Outcome[]; close: () => void }) {
  const failed = outcomes.filter(({ problem }) => problem !== null);
  const links = outcomes.flatMap(({ invitee, url }) => (url === null ? [] : [`${invitee.email} ${url}`]));
  const invited = outcomes.length - failed.length;
  return (
    <Modal
      opened
      onClose={close}
      title={t('{count, plural, =1 {1 person is invited} other {# people are invited}}', { count: invited })}
      closeOnClickOutside={false}
    >
      <div className="stack" style={{ gap: 16 }}>
        {links.length > 0 ? (
          <>
            <p className="muted">
              {t(
                'Give each person their link. It creates their account, works once and is valid for a week. Anyone who has it can use it.',
              )}
            </p>
            {outcomes.map(
              ({ invitee, url }) =>
                url !== null && (
                  <div key={invitee.id} className="stack tight">
                    <b>{invitee.name || invitee.email}</b>
                    <CopyField
                      text={url}
                      name={t('Copy the link of {name}', { name: invitee.name || invitee.email })}
                    />
                  </div>
                ),
            )}
          </>
        ) : (
          invited > 0 && (
            <p className="muted">
              {t('Each person gets an email with a link. It works once and is valid for a week.')}
            </p>
          )
        )}
        {failed.length > 0 && (
          <div className="stack" role="alert">
            <b className="ink-alarm">
              {t('{count, plural, =1 {1 person was not invited} other {# people were not invited}}', {
                count: failed.length,
              })}
            </b>
            <ul className="stack tight" style={{ margin: 0, paddingLeft: 18, overflowWrap: 'anywhere' }}>
              {failed.map(({ invitee, problem }) => (
                <li key={invitee.id}>
                  {invitee.email}: <span className="muted">{problem}</span>
                </li>
              ))}
            </ul>
          </div>
        )}
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          {links.length > 1 && (
            <Copy text={links.join('\n')} name={t('Copy all links')} label={t('Copy all links')} />
          )}
          <Button onClick={close} data-autofocus>
            {t('Done')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
