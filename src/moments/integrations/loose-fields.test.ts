import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filledText, looseFields } from './loose-fields.ts';

describe('fields of a custom template', () => {
  it('are found under any spelling', () => {
    for (const name of ['alert_title', 'ALERT_TITLE', 'alertTitle', 'Alert Title', '$alert.title$'])
      assert.equal(looseFields({ [name]: 'x' }).text('alert_title'), 'x', name);
  });

  it('are taken from the first name that has one', () => {
    const fields = looseFields({ title: ' ', alert_title: '$ALERT_TITLE', event_title: 7 });
    assert.equal(fields.text('title', 'alert_title', 'event_title'), '7');
    assert.equal(fields.text('title', 'other'), null);
  });

  it('may be inside an object, and those of the body itself come first', () => {
    const fields = looseFields({ id: 'a', metadata: { ID: 'b', LINK: 'c' }, other: { host: 'd' } }, [
      'metadata',
    ]);
    assert.equal(fields.text('id'), 'a');
    assert.equal(fields.text('link'), 'c');
    assert.equal(fields.text('host'), null);
  });

  it('keep their values', () => {
    assert.deepEqual(looseFields({ TAGS: ['a'] }).value('tags'), ['a']);
    assert.equal(looseFields({ tags: null }).value('tags'), null);
  });

  it('may be lists, also with commas', () => {
    const fields = looseFields({ tags: 'env:prod, team:sre,,', empty: [null, '$TAGS'], names: ['a', 7, {}] });
    assert.deepEqual(fields.list('tags'), ['env:prod', 'team:sre']);
    assert.deepEqual(fields.list('empty', 'names'), ['a', '7']);
    assert.deepEqual(fields.list('empty', 'none'), []);
  });

  it('are absent if the sender did not fill them', () => {
    for (const unfilled of [
      ...['', ' ', 'null', '$ALERT_TITLE', '$TAGS[env]', '{$ZABBIX.URL}', '{EVENT.ID}', '*UNKNOWN*'],
      ...['{{CHECK_NAME}}', '{{ json issueId }}', '$host.display_name$', '$SERVICEDESC$'],
    ])
      assert.equal(filledText(unfilled), null, unfilled);
    for (const filled of [
      '0',
      'Null pointer',
      '$5 lost',
      'costs $HOME',
      'a {b}',
      '{"a": 1}',
      'NONE of it works',
    ])
      assert.equal(filledText(filled), filled);
  });
});
