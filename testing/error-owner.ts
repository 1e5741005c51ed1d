/**
 * `node --test --import` this: it finds the test to which an uncaught error belongs by the context that Node.js passes on
 * anyway. The runner's own way, an async hook that records every promise and timer of the process, takes a fifth of the
 * processor time of tests that talk to a service. Reports stay the same: `scripts/test-run.test.ts` compares them.
 */
import asyncHooks, { AsyncLocalStorage, AsyncResource, type HookCallbacks } from 'node:async_hooks';
import { isMainThread } from 'node:worker_threads';

// Threads inherit the options of their process, but run no tests; nor does the process that starts the others.
if (isMainThread && process.env.NODE_TEST_CONTEXT) await replaceHook();

async function replaceHook(): Promise<void> {
  const { createHook, executionAsyncId } = asyncHooks;
  const running = new AsyncLocalStorage<AsyncResource>();
  let recorder: HookCallbacks = {};
  // The runner takes both functions when it is loaded, and nothing else is meant to get these.
  Object.assign(asyncHooks, {
    createHook(callbacks: HookCallbacks) {
      recorder = callbacks;
      return { enable() {}, disable() {} };
    },
    executionAsyncId() {
      const test = running.getStore();
      if (!test) return executionAsyncId();
      recorder.init?.(test.asyncId(), 'Test', 0, test);
      return test.asyncId();
    },
  });
  await import('node:test');
  Object.assign(asyncHooks, { createHook, executionAsyncId });
  const { runInAsyncScope } = AsyncResource.prototype;
  AsyncResource.prototype.runInAsyncScope = function (work, self, ...args) {
    const plain = work as () => never;
    if (!OF_THE_RUNNER.has(this.constructor.name))
      return runInAsyncScope.call(this, plain, self, ...args) as never;
    const owned = (...given: unknown[]) => running.run(this, () => Reflect.apply(plain, self, given));
    return runInAsyncScope.call(this, owned, self, ...args) as never;
  };
}

/** The resources in which the runner starts tests, suites and hooks. */
const OF_THE_RUNNER = new Set(['Test', 'Suite', 'TestHook']);
