import { createRoot } from 'react-dom/client';

/** React, which runs in a task of its own. */
export const REACT: readonly unknown[] = [createRoot];
