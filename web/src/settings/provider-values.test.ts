import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formValues, recognizedBy } from './provider-values.ts';

const smtp = {
  name: 'smtp' as const,
  values: {
    host: 'smtp.example.com',
    encryption: 'starttls',
    user: 'tocsin',
    from: 'Tocsin <t@example.com>',
  },
};

describe('the values of a provider', () => {
  it('are recognized by those that are always there', () => {
    assert.equal(recognizedBy(smtp), 'smtp.example.com, Tocsin <t@example.com>');
    assert.equal(recognizedBy({ name: 'slack', values: {} }), '');
  });

  it('fill in the form, in which choices begin with their default, and secrets are empty', () => {
    const none = { host: '', port: '', user: '', password: '', from: '' };
    assert.deepEqual(formValues({ name: 'smtp', values: {} }), { ...none, encryption: 'tls' });
    assert.deepEqual(formValues(smtp), { ...none, ...smtp.values });
  });
});
