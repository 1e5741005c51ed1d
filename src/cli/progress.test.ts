import '../../testing/own-process.ts';
import assert from 'node:assert/strict';
import { beforeEach, describe, it, mock } from 'node:test';
import { createProgress } from './progress.ts';

describe('progress', () => {
  let lines: string[];
  beforeEach(() => {
    lines = [];
    mock.timers.reset();
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  const write = (line: string) => lines.push(line);

  it('of fast work is never shown', () => {
    const progress = createProgress(write);
    progress.step('Opening …');
    mock.timers.tick(999);
    progress.step('Applying …');
    progress.end();
    mock.timers.tick(10_000);
    assert.deepEqual(lines, []);
  });

  it('is shown after a second, and then for each step once', () => {
    const progress = createProgress(write);
    progress.step('Opening …');
    progress.step('Applying …');
    mock.timers.tick(1_000);
    progress.step('Applying …');
    progress.step('Planning …');
    assert.deepEqual(lines, ['Applying …', 'Planning …']);
  });
});
