import type { ModalProps } from '@mantine/core';
import { later } from './later.tsx';

/** A dialog. The first view has none, so its code is loaded after it. */
export const Modal = later<ModalProps>(async () => (await import('./modal-loaded.ts')).Modal);
