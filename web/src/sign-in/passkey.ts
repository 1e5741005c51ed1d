import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { accountApi, signInApi } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';
import { t } from '../language/t.ts';

/** Signs in with a passkey. */
export async function signInByPasskey(): Promise<void> {
  const optionsJSON = await send(signInApi.passkeyOptions);
  const answer = await asked(() => startAuthentication({ optionsJSON }));
  await send(signInApi.passkey, { body: { answer } });
}

/** Re-authenticates the viewer with a passkey. */
export async function confirmByPasskey(): Promise<void> {
  const optionsJSON = await send(accountApi.confirmPasskey);
  const passkey = await asked(() => startAuthentication({ optionsJSON }));
  await send(accountApi.confirm, { body: { passkey } });
}

/** Creates a passkey on this device, or on one that the browser can reach. */
export async function makePasskey(name?: string): Promise<{ name: string }> {
  const optionsJSON = await send(accountApi.passkeyOptions);
  const answer = await asked(() => startRegistration({ optionsJSON }));
  return send(accountApi.createPasskey, { body: { answer, ...(name ? { name } : {}) } });
}

/** Replaces the browser's errors, which are written for programmers, by sentences for people. */
async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { name } = error as Error;
    if (name === 'InvalidStateError') throw new Error(t('This device already has a passkey for you.'));
    throw new Error(
      t('The browser returned no passkey: it was cancelled, took too long, or this device has none.'),
    );
  }
}
