import { escapeHtml, plainPage } from '../kit/plain-page.ts';
import { locale, t, tIn } from '../language/contract.ts';
import type { SignInLink } from './store.ts';

/** The page of a valid link. It has a button, because mail scanners and chat previews open links. */
export function signInView({ name, email, organization }: SignInLink, thenCode: boolean): string {
  const facts = [
    t('You sign in as {email}, in this browser and for 30 days. The link works once.', { email }),
    ...(thenCode ? [t('The code of your authenticator app comes next.')] : []),
  ].join(' ');
  return view(`<p class="muted">${escapeHtml(t('{organization} on Tocsin', { organization }))}</p><h1>${escapeHtml(t('Welcome, {name}', { name }))}</h1>
<form method="post"><button type="submit" autofocus>${escapeHtml(tIn('a button', 'Sign in'))}</button></form>
<p class="muted">${escapeHtml(facts)}</p>`);
}

/** For a person with a passkey and no app, because the link would be weaker than the passkey. */
export function passkeyView({ email, organization }: SignInLink): string {
  const command = `npm run -s tocsin -- sign-in-link ${shellWord(email)} --without-second-factor`;
  return view(`<p class="muted">${escapeHtml(t('{organization} on Tocsin', { organization }))}</p><h1>${escapeHtml(t('Sign in with your passkey'))}</h1>
<p>${escapeHtml(t('A link alone does not let you in, because you have a passkey.'))} <a href="/">${escapeHtml(t('Sign in with it.'))}</a></p>
<p class="muted">${escapeHtml(t('If you lost the passkey, the operator of this installation can create a link that does not require it:'))}</p>
<div class="card"><code>${escapeHtml(command)}</code></div>`);
}

/** Why a link does not sign anybody in, and how to get one that does. */
export function badLinkView(link: SignInLink | null): string {
  const email = link?.email ?? 'you@example.com';
  const command = `npm run -s tocsin -- sign-in-link ${shellWord(email)}`;
  return view(`<h1>${escapeHtml(reason(link))}</h1><p>${escapeHtml(t('An admin can create a new one under People, or the operator of this installation with:'))}</p>
<div class="card"><code>${escapeHtml(command)}</code></div><p class="muted"><a href="/">${escapeHtml(t('Open the dashboard if you are signed in already.'))}</a></p>`);
}

function view(body: string): string {
  return plainPage(tIn('the title of a page', 'Sign in'), body, '', locale());
}

function reason(link: SignInLink | null): string {
  if (link?.used) return t('This link was already used.');
  if (link?.expired) return t('This link has expired.');
  return t('This link is not valid or was cut off.');
}

function shellWord(text: string): string {
  return /^[\w@.+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
