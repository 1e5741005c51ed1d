import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createNews, type Rooms } from './news.ts';

it('gathers what changed into one word for each organization', async () => {
  const sent: [string, Rooms][] = [];
  const news = createNews(async (organizationId, rooms) => {
    sent.push([organizationId, rooms]);
  });
  news.tell('a', ['moments', 'notifications']);
  news.tell('a', ['moments']);
  news.tell('b', ['teams']);
  assert.deepEqual(sent, []);
  await news.stop();
  assert.deepEqual(sent, [
    ['a', ['moments', 'notifications']],
    ['b', ['teams']],
  ]);
  news.tell('a', ['moments']);
  await news.stop();
  assert.equal(sent.length, 2, 'nothing is told after the end');
});

it('outlives words that cannot be sent', async () => {
  const news = createNews(async () => {
    throw new Error('the database is away');
  });
  news.tell('a', ['moments']);
  await news.stop();
});
