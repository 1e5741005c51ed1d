import { Button, Checkbox, Modal, MultiSelect, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiKey, keysApi } from '../../../src/keys/api-contract.ts';
import { SCOPES, type Scope } from '../../../src/keys/contract.ts';
import { send } from '../api/call.ts';
import { keysQuery, sessionQuery } from '../api/queries.ts';
import { serviceNow } from '../kit/clock.ts';
import { CopyField } from '../kit/copy.tsx';
import { fieldError, otherError } from '../kit/field-error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Pill } from '../kit/pill.tsx';
import { Empty, Unread } from '../kit/states.tsx';
import { fullTime, shortTime, zoneName } from '../kit/time.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { useNow } from '../kit/use-now.ts';
import { ListHead } from '../kit/view-head.tsx';
import { commas, t } from '../language/t.ts';
import { teamsQuery } from '../teams/queries.ts';
import { keyCommand } from './key-command.ts';

/** The viewer's own API keys. */
export function KeysView() {
  const { data, error, refetch } = useQuery(keysQuery);
  const [making, setMaking] = useState(false);
  const keys = data?.keys ?? [];
  const make = <Button onClick={() => setMaking(true)}>{t('New key')}</Button>;
  return (
    <div className="view">
      <ListHead
        name={t('API keys')}
        about={t('have your permissions · times in {zone}', { zone: zoneName() })}
      >
        {keys.length > 0 && make}
      </ListHead>
      {!data && <Unread error={error} again={refetch} />}
      {data && keys.length === 0 && (
        <Empty action={make}>{t('Programs page people with a key. You have none yet.')}</Empty>
      )}
      {keys.length > 0 && (
        <div className="card lines">
          {keys.map((key) => (
            <KeyLine key={key.id} apiKey={key} />
          ))}
        </div>
      )}
      {making && <NewKey close={() => setMaking(false)} />}
    </div>
  );
}

function KeyLine({ apiKey }: { apiKey: ApiKey }) {
  const now = useNow(60_000);
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => send(keysApi.revoke, { params: { id: apiKey.id } }),
    onSuccess: async () => {
      showToast(t('The key {name} no longer works.', { name: apiKey.name }));
      await client.invalidateQueries({ queryKey: ['keys'] });
    },
    onError: showFailure,
  });
  const expired = apiKey.expires_at !== null && Date.parse(apiKey.expires_at) < now.getTime();
  return (
    <div className="line wrap">
      <div className="grow">
        <b>{apiKey.name}</b> <span className="mono faint">{apiKey.hint}…</span>
        <div className="muted">
          {apiKey.last_used_at ? (
            <span title={fullTime(apiKey.last_used_at)}>
              {t('used {time}', { time: shortTime(apiKey.last_used_at, now) })}
            </span>
          ) : (
            t('never used')
          )}
          {` · ${t('created {time}', { time: shortTime(apiKey.created_at, now) })}`}
          {apiKey.expires_at &&
            !expired &&
            ` · ${t('expires {time}', { time: shortTime(apiKey.expires_at, now) })}`}
          {apiKey.scopes &&
            ` · ${t('only {scopes}', { scopes: commas(apiKey.scopes.map((scope) => SCOPE_WORDS[scope])) })}`}
          {apiKey.full && ` · ${t('full access')}`}
        </div>
      </div>
      {expired && <Pill tone="none">{t('expired')}</Pill>}
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('Revoke')}
      </Button>
      <Modal
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('Revoke {name}?', { name: apiKey.name })}
      >
        <div className="stack" style={{ gap: 16 }}>
          <p className="muted">
            {t('Calls with this key are refused within a second. It cannot be restored.')}
          </p>
          <div className="row" style={{ justifyContent: 'flex-end' }}>
            <Button variant="default" onClick={() => setAsking(false)}>
              {t('Keep it')}
            </Button>
            <Button color="red" loading={revoke.isPending} onClick={() => revoke.mutate()}>
              {t('Revoke')}
            </Button>
          </div>
        </div>
      </Modal>
    </div>
  );
}

const SCOPE_WORDS: Record<Scope, string> = {
  pages: t('pages people'),
  moments: t('adds moments'),
  requests: t('reads requests'),
  availabilities: t('uploads unavailability'),
  schedules: t('reads schedules'),
  'mcp:read': t('reads over MCP: who is on call, pages, schedules'),
  'mcp:write': t('acts over MCP: pages, acknowledges, overrides, covers'),
};

const LIFETIMES = [
  { value: '', label: t('Never') },
  { value: '30', label: t('In 30 days') },
  { value: '90', label: t('In 90 days') },
  { value: '365', label: t('In a year') },
];

function NewKey({ close }: { close: () => void }) {
  const [name, setName] = useState('');
  const [days, setDays] = useState<string | null>('');
  const [scopes, setScopes] = useState<Scope[]>([]);
  const [full, setFull] = useState(false);
  const client = useQueryClient();
  const make = useMutation({
    mutationFn: () => {
      const expires = days
        ? { expires_at: new Date(serviceNow().getTime() + Number(days) * 86_400_000).toISOString() }
        : {};
      return send(keysApi.create, {
        body: { name, ...expires, ...(full ? { full } : scopes.length > 0 ? { scopes } : {}) },
      });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys'] }),
  });
  if (make.data)
    return (
      <MadeKey value={make.data.key} scopes={full || scopes.length === 0 ? null : scopes} close={close} />
    );
  return (
    <FormDialog
      title={t('New API key')}
      close={close}
      send={() => make.mutate()}
      go={t('Create the key')}
      ready={name.trim() !== ''}
      busy={make.isPending}
      error={otherError(make.error, ['name'])}
    >
      <TextInput
        label={t('Name')}
        description={t('Where you use it, so that you recognize it')}
        placeholder="ci"
        required
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={fieldError(make.error, 'name')}
        data-autofocus
      />
      <MultiSelect
        label={t('What it may do')}
        description={t('The fewer rights a key has, the less a leak can do')}
        placeholder={scopes.length === 0 ? t('The whole public API') : ''}
        disabled={full}
        data={SCOPES.map((scope) => ({ value: scope, label: SCOPE_WORDS[scope] }))}
        value={scopes}
        onChange={(chosen) => setScopes(chosen as Scope[])}
      />
      <Checkbox
        label={t('Full access')}
        description={t(
          'Can use the dashboard’s own API (/api) as you can. It can never create links, invitations, keys or passwords.',
        )}
        checked={full}
        onChange={(event) => {
          setFull(event.currentTarget.checked);
          setScopes([]);
        }}
      />
      <Select label={t('Expires')} data={LIFETIMES} value={days} onChange={setDays} allowDeselect={false} />
    </FormDialog>
  );
}

/** The new key, and a command that tries it. */
function MadeKey({
  value,
  scopes,
  close,
}: {
  value: string;
  scopes: readonly Scope[] | null;
  close: () => void;
}) {
  const session = useQuery(sessionQuery).data;
  const teams = useQuery(teamsQuery).data?.teams ?? [];
  const team = session?.teams[0] ?? teams[0] ?? null;
  const tried = keyCommand({ key: value, scopes, origin: location.origin, team: team?.slug ?? null });
  return (
    <Modal opened onClose={close} title={t('Your new key')} closeOnClickOutside={false}>
      <div className="stack" style={{ gap: 16 }}>
        <p className="muted">{t('Copy it now: it is shown only once, and only its hash is kept.')}</p>
        <CopyField text={value} name={t('Copy the key')} />
        {tried && (
          <>
            <p className="muted">
              {tried.pages && team
                ? t('Try it from the shell. This pages {team} with low urgency:', { team: team.name })
                : t('Try it from the shell. This reads the schedules:')}
            </p>
            <CopyField text={tried.command} name={t('Copy the command')} />
          </>
        )}
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button onClick={close}>{t('I have it')}</Button>
        </div>
      </div>
    </Modal>
  );
}
