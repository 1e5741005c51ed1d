import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { call } from '../api/call.ts';

type AuthenticationOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];
type RegistrationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Signs in with a passkey. */
export async function signInByPasskey(): Promise<void> {
  const optionsJSON = await call<AuthenticationOptions>('POST', '/api/sign-in/passkey/options');
  const answer = await asked(() => startAuthentication({ optionsJSON }));
  await call('POST', '/api/sign-in/passkey', { answer });
}

/** Re-authenticates the viewer with a passkey. */
export async function confirmByPasskey(): Promise<void> {
  const optionsJSON = await call<AuthenticationOptions>('POST', '/api/account/confirm/passkey');
  const passkey = await asked(() => startAuthentication({ optionsJSON }));
  await call('POST', '/api/account/confirm', { passkey });
}

/** Creates a passkey on this device, or on one that the browser can reach. */
export async function makePasskey(name?: string): Promise<{ name: string }> {
  const optionsJSON = await call<RegistrationOptions>('POST', '/api/account/passkeys/options');
  const answer = await asked(() => startRegistration({ optionsJSON }));
  return call('POST', '/api/account/passkeys', { answer, ...(name ? { name } : {}) });
}

/** Replaces the browser's errors, which are written for programmers, by sentences for people. */
async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { name } = error as Error;
    if (name === 'InvalidStateError') throw new Error('This device has a passkey for you already.');
    throw new Error('The browser gave no passkey: it was cancelled, took too long, or there is none here.');
  }
}
