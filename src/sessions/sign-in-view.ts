import { escapeHtml, plainPage } from '../kit/plain-page.ts';
import type { SignInLink } from './store.ts';

/** The page of a valid link. It has a button, because mail scanners and chat previews open links. */
export function signInView({ name, email, organization }: SignInLink, thenCode: boolean): string {
  const then = thenCode ? ' The code of your authenticator app comes next.' : '';
  return plainPage(
    'Sign in',
    `<p class="muted">${escapeHtml(organization)} on Tocsin</p><h1>Welcome, ${escapeHtml(name)}</h1>
<form method="post"><button type="submit" autofocus>Sign in</button></form>
<p class="muted">You sign in as ${escapeHtml(email)}, in this browser and for 30 days. The link works once.${then}</p>`,
  );
}

/** For a person with a passkey and no app, because the link would be weaker than the passkey. */
export function passkeyView({ email, organization }: SignInLink): string {
  const command = `npm run -s tocsin -- sign-in-link ${shellWord(email)} --without-second-factor`;
  return plainPage(
    'Sign in',
    `<p class="muted">${escapeHtml(organization)} on Tocsin</p><h1>Sign in with your passkey</h1>
<p>A link alone does not let you in, because you have a passkey. <a href="/">Sign in with it.</a></p>
<p class="muted">If you lost the passkey, the operator of this installation can create a link that does not require it:</p>
<div class="card"><code>${escapeHtml(command)}</code></div>`,
  );
}

/** Why a link does not sign anybody in, and how to get one that does. */
export function badLinkView(link: SignInLink | null): string {
  const email = link?.email ?? 'you@example.com';
  const command = `npm run -s tocsin -- sign-in-link ${shellWord(email)}`;
  return plainPage(
    'Sign in',
    `<h1>${escapeHtml(reason(link))}</h1><p>An admin can create a new one under People, or the operator of this installation with:</p>
<div class="card"><code>${escapeHtml(command)}</code></div><p class="muted"><a href="/">Open the dashboard</a> if you are signed in already.</p>`,
  );
}

function reason(link: SignInLink | null): string {
  if (link?.used) return 'This link was already used.';
  if (link?.expired) return 'This link has expired.';
  return 'This link is not valid or was cut off.';
}

function shellWord(text: string): string {
  return /^[\w@.+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
