import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { firstRunApi } from '../../../src/installation/api-contract.ts';
import { languageOf, locale } from '../../../src/language/contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { deviceZone } from '../kit/time-formats.ts';
import { t } from '../language/t.ts';
import { takeToken } from './fragment.ts';
import { NewCredentials } from './new-credentials.tsx';
import { Outside, Refused } from './outside.tsx';
import { useNewAccount } from './use-new-account.ts';
import { waysInQuery } from './ways-in.ts';
import { ZoneField } from './zone-field.tsx';

const FIELDS = ['name', 'email', 'organization', 'time_zone', 'password'];

/**
 * The target of the link that an empty installation prints: creates the first owner, then continues with the first
 * page.
 */
export function WelcomeView() {
  const [token] = useState(takeToken);
  const [form, setForm] = useState({ name: '', email: '', organization: '' });
  const [zone, setZone] = useState(deviceZone);
  const [password, setPassword] = useState('');
  const ways = useQuery(waysInQuery).data;
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const account = { token, ...form, time_zone: zone, language: languageOf([locale()]) };
  const make = useNewAccount(
    (secret) => send(firstRunApi.create, { body: { ...account, ...secret } }),
    password,
    '/first-page',
  );
  const field = (name: keyof typeof form) => ({
    size: 'md' as const,
    required: true,
    withAsterisk: false,
    maxLength: name === 'email' ? 320 : 200,
    value: form[name],
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      setForm({ ...form, [name]: event.currentTarget.value }),
    error: fieldError(make.error, name),
  });
  if (ways && !ways.empty && make.isIdle)
    return (
      <Outside
        title={t('The owner already exists')}
        lead={t('This link was used to create the owner and is no longer valid.')}
      >
        <a className="link" href="/">
          {t('Sign in')}
        </a>
      </Outside>
    );
  return (
    <Outside
      title={t('Welcome')}
      lead={t('You are the first person here and become the owner. In a minute, this browser rings.')}
    >
      <form
        className="stack"
        style={{ gap: 16 }}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          make.mutate('password');
        }}
      >
        <TextInput ref={first} label={t('Your name')} autoComplete="name" {...field('name')} />
        <TextInput label={t('Email')} type="email" autoComplete="username" {...field('email')} />
        <TextInput
          label={t('Organization')}
          autoComplete="organization"
          placeholder={t('Acme')}
          {...field('organization')}
        />
        <ZoneField value={zone} change={setZone} />
        <Refused message={otherError(make.error, FIELDS)} />
        <NewCredentials
          password={password}
          change={setPassword}
          error={make.error}
          busy={make.isPending ? make.variables : null}
          submit={t('Begin')}
          passkey={ways?.passkey ? () => make.mutate('passkey') : null}
        />
      </form>
    </Outside>
  );
}
