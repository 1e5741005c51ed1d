// Browsers that know Temporal are spared its stand-in. Whoever imports this is loaded on demand, as the stand-in is.
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');

export {};
