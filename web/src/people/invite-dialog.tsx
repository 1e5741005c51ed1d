import { Button, Checkbox, Modal, MultiSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Role } from '../../../src/people/contract.ts';
import { type InvitationList, invitationsApi } from '../../../src/sessions/invitation-contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { useEntered } from '../kit/use-entered.ts';
import { useRefusalFocus } from '../kit/use-refusal-focus.ts';
import { t } from '../language/t.ts';
import { FormAlert } from '../sign-in/ended.tsx';
import { LinkMade } from './link-made.tsx';
import { ROLE_LABELS } from './role-names.ts';

/**
 * Asks for the email address, role and teams of a new person, then shows the link. The link is also mailed where email
 * is set up.
 */
export function InviteDialog({ list, close }: { list: InvitationList; close: () => void }) {
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [teams, setTeams] = useState<string[]>(list.teams.length === 1 ? list.teams.map(({ id }) => id) : []);
  const [inPerson, setInPerson] = useState(false);
  const invite = useMutation({
    mutationFn: () =>
      send(invitationsApi.invite, { body: { email, name, role, teams, in_person: inPerson } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['invitations'] }),
  });
  const form = useRefusalFocus(invite.isPending);
  const { entered, entering } = useEntered();
  if (invite.data)
    return (
      <LinkMade
        title={t('{name} is invited', { name: name.trim() || email })}
        url={invite.data.url}
        words={
          invite.data.emailed
            ? t('An email with a link is on its way. It works once and is valid for a week.')
            : t('Give this link to them. It creates their account, works once and is valid for a week.')
        }
        close={close}
      />
    );
  return (
    <Modal
      opened
      onClose={close}
      closeOnClickOutside={!entered}
      title={t('Invite a person')}
      closeButtonProps={{ 'aria-label': t('Cancel') }}
    >
      <form
        ref={form}
        className="stack"
        style={{ gap: 16 }}
        {...entering}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          invite.mutate();
        }}
      >
        <TextInput
          label={t('Email')}
          type="email"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={fieldError(invite.error, 'email')}
          data-autofocus
        />
        <TextInput
          label={t('Name')}
          description={t('They can change it.')}
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fieldError(invite.error, 'name')}
        />
        <MultiSelect
          label={t('Teams')}
          data={list.teams.map((team) => ({ value: team.id, label: team.name }))}
          value={teams}
          onChange={setTeams}
          searchable
          hidePickedOptions
          error={fieldError(invite.error, 'teams')}
        />
        {list.roles.length > 1 && (
          <div className="stack" style={{ gap: 6 }}>
            <span style={{ fontSize: 13, fontWeight: 550 }} id="invite-role">
              {t('Role')}
            </span>
            <SegmentedControl
              aria-labelledby="invite-role"
              value={role}
              onChange={setRole}
              data={list.roles.toReversed().map((value) => ({ value, label: ROLE_LABELS[value] }))}
            />
          </div>
        )}
        {!list.emails && (
          <Checkbox
            label={t('I will pass the link on to this person myself')}
            description={t(
              'Email is not set up here, so Tocsin cannot send it. Anyone who has the link can join as this person.',
            )}
            required
            checked={inPerson}
            onChange={(event) => setInPerson(event.currentTarget.checked)}
          />
        )}
        <FormAlert error={otherError(invite.error, ['email', 'name', 'teams'])} />
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={invite.isPending}>
            {list.emails ? t('Send the invitation') : t('Create the link')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
