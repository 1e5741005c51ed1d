import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { PROVIDER, PROVIDER_NAMES } from './providers-contract.ts';
import { channelsThrough, PROVIDER_VARIABLES, providerSettings, readProviders } from './registry.ts';

describe('providers that the dashboard can set up', () => {
  it('have a form with the fields of their description, which sets known variables', () => {
    for (const name of PROVIDER_NAMES) {
      const { form } = providerSettings(name);
      const fields = Object.keys(PROVIDER[name].fields);
      assert.ok(
        form.bound.every((field) => fields.includes(field)),
        name,
      );
      const variables = Object.keys(form.variables({}));
      assert.ok(
        variables.every((variable) => PROVIDER_VARIABLES.some((known) => known === variable)),
        name,
      );
      assert.ok(channelsThrough(name).length > 0, name);
    }
  });

  it('never show a secret', () => {
    const environment: Record<string, string> = {
      ...{ SMTP_URL: 'smtps://mailer:secret@mail.example.com', SMTP_FROM: 'tocsin@example.com' },
      ...{
        TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
        TWILIO_AUTH_TOKEN: 'secret',
        TWILIO_FROM: '+15005550006',
      },
      ...{ SLACK_BOT_TOKEN: 'secret', SLACK_SIGNING_SECRET: 'secret' },
    };
    const settings = readProviders((name) => environment[name] ?? null);
    for (const name of PROVIDER_NAMES) {
      const shown = providerSettings(name).form.shown(settings);
      assert.notEqual(shown, null, name);
      assert.doesNotMatch(JSON.stringify(shown), /secret/, name);
    }
  });

  it('show the manifest of the Slack app that the documentation shows', () => {
    const page = readFileSync(new URL('../../../docs/channels.md', import.meta.url), 'utf8');
    const [, documented] = /```yaml\n(display_information:[^`]+)```/.exec(page) ?? [];
    const [manifest] = PROVIDER.slack.callbacks('https://tocsin.example.com');
    assert.equal(manifest?.value, documented);
  });
});
