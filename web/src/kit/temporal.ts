// Loads the polyfill in browsers without Temporal. Modules that import this file are loaded on demand, like the
// polyfill.
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');

export {};
