import { Type } from 'typebox';
import { slack } from './chat/provider-contract.ts';
import { smtp } from './email/provider-contract.ts';
import { twilio } from './phone/provider-contract.ts';
import type { ProviderDescription } from './provider-description-contract.ts';

/** The providers that can be set up in the dashboard, in the order in which it lists them. */
const REGISTERED = { smtp, twilio, slack } as const;

export type ProviderName = keyof typeof REGISTERED;
export const PROVIDER: Readonly<Record<ProviderName, ProviderDescription>> = REGISTERED;
export const PROVIDER_NAMES = Object.keys(REGISTERED) as ProviderName[];
export const ProviderName = Type.Enum(PROVIDER_NAMES, { type: 'string' });
