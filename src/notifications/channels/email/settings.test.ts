import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SMTP } from './settings.ts';

const { form } = SMTP;
const read = (values: Record<string, string>) => {
  const variables = form?.variables(values) ?? {};
  return SMTP.read((name) => variables[name] ?? null);
};

describe('the form of the mail server', () => {
  it('shows again what was entered, without the password', () => {
    // URLs write IPv6 addresses in their shortest form.
    const host = fc.oneof(fc.domain(), fc.ipV4(), fc.constantFrom('::1', '2001:db8::1'));
    const port = fc.oneof(fc.constant(''), fc.integer({ min: 1, max: 65_535 }).map(String));
    const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).map((one) => one.trim());
    const user = text.filter((one) => one !== '');
    fc.assert(
      fc.property(
        host,
        port,
        fc.constantFrom('tls', 'starttls', 'if_offered'),
        fc.option(fc.tuple(user, user)),
        (name, at, encryption, sign) => {
          const shown = {
            ...{ host: name, port: at, encryption, user: sign?.[0] ?? '' },
            from: 'Tocsin <tocsin@example.com>',
          };
          const values = { ...shown, password: sign?.[1] ?? '' };
          assert.deepEqual(form?.faults(values), []);
          assert.deepEqual(form?.shown(read(values)), shown);
        },
      ),
    );
  });

  it('becomes the URL that an operator would write', () => {
    const from = 'tocsin@example.com';
    const urlOf = (values: Record<string, string>) => read({ from, ...values }).smtp?.url;
    assert.equal(urlOf({ host: 'mail.example.com', encryption: 'tls' }), 'smtps://mail.example.com');
    assert.equal(
      urlOf({
        host: 'mail.example.com',
        encryption: 'starttls',
        port: '2525',
        user: 'a@b',
        password: 'p:/@',
      }),
      'smtp://a%40b:p%3A%2F%40@mail.example.com:2525/?requireTLS=true',
    );
    assert.equal(urlOf({ host: '2001:db8::1', encryption: 'if_offered' }), 'smtp://[2001:db8::1]');
  });

  it('does not let a field become another part of the URL', () => {
    for (const host of ['', 'a b', 'a@b', 'a/b', 'a:25', 'a?x', 'a#x', '[::1]', 'a%2eb'])
      assert.deepEqual(
        form?.faults({ host, from: 'tocsin@example.com' }).map(({ field }) => field),
        ['host'],
        host,
      );
  });
});
