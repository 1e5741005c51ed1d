import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../../../kit/fault.ts';
import { sha256 } from '../../../kit/sealing.ts';
import { inLanguage } from '../../../language/ambient.ts';
import { t } from '../../../language/contract.ts';
import { escalatedText } from '../../../pages/escalated.ts';
import { acceptForms, type Form, formOf } from '../../inbound/form-body.ts';
import type { AcknowledgeResult, EscalateResult, InboundPorts } from '../../inbound/ports.ts';
import { twilioReceipt } from '../../inbound/receipt.ts';
import type { CommonSettings } from '../settings.ts';
import { acknowledgeAnswer, parseSmsReply, smsHelp } from '../sms/reply.ts';
import { againTwiml, farewellTwiml, pageTwiml } from '../voice/twiml.ts';
import type { TwilioSettings } from './settings.ts';

/** Only providers call these routes, so they are not part of the public API. */
const HIDDEN = { schema: { hide: true } } as const;

type DeliveryRequest = FastifyRequest<{ Params: { deliveryId: string } }>;

/**
 * Handles receipts, answers by SMS and keys pressed on the phone. Every request must have Twilio's signature, which is made
 * of `PUBLIC_URL` with the token. While Twilio is not set up, they do not exist.
 */
export function twilioCallbacks(
  settings: TwilioSettings & Pick<CommonSettings, 'publicUrl'>,
  ports: InboundPorts,
): FastifyPluginAsync {
  const base = () => settings.publicUrl.replace(/\/+$/, '');
  const voiceUrl = (deliveryId: string) => `${base()}/callbacks/twilio/voice/${deliveryId}`;

  return async (app) => {
    acceptForms(app);

    app.addHook('onRequest', async () => {
      if (!settings.twilio)
        throw new Fault('not_found', [{ field: 'path', message: 'does not exist until Twilio is set up' }]);
    });
    app.addHook('preHandler', async (request) => {
      const { twilio } = settings;
      if (twilio && (await isSigned(request, twilio.authToken, base()))) return;
      throw new Fault('forbidden', [
        {
          field: 'X-Twilio-Signature',
          message:
            'is missing or wrong; check TWILIO_AUTH_TOKEN, and that Twilio uses PUBLIC_URL to call this service',
        },
      ]);
    });

    app.post('/callbacks/twilio/status/:deliveryId', HIDDEN, async (request: DeliveryRequest, reply) => {
      const receipt = twilioReceipt(formOf(request.body).fields);
      if (receipt) await ports.receipt(request.params.deliveryId, { ...receipt, at: Temporal.Now.instant() });
      return reply.code(204).send();
    });

    app.post('/callbacks/twilio/sms', HIDDEN, async (request, reply) => {
      return sendXml(reply, await messageTwiml(await answerSms(ports, formOf(request.body))));
    });

    app.post('/callbacks/twilio/voice/:deliveryId', HIDDEN, async (request: DeliveryRequest, reply) => {
      const { deliveryId } = request.params;
      const delivery = await ports.findDelivery(deliveryId);
      const twiml = await inLanguage(await ports.languageOf({ deliveryId }), () =>
        delivery
          ? pageTwiml(delivery.notification, `${voiceUrl(deliveryId)}/key`)
          : farewellTwiml(t('This page no longer exists.')),
      );
      return sendXml(reply, twiml);
    });

    app.post('/callbacks/twilio/voice/:deliveryId/key', HIDDEN, async (request: DeliveryRequest, reply) => {
      const { deliveryId } = request.params;
      const answer = await answerKey(ports, deliveryId, formOf(request.body));
      const twiml = await inLanguage(await ports.languageOf({ deliveryId }), () =>
        answer ? farewellTwiml(answer()) : againTwiml(t('That key does nothing here.'), voiceUrl(deliveryId)),
      );
      return sendXml(reply, twiml);
    });
  };
}

async function isSigned(request: FastifyRequest, authToken: string, base: string): Promise<boolean> {
  const signature = request.headers['x-twilio-signature'];
  if (typeof signature !== 'string') return false;
  const { default: twilio } = await import('twilio');
  return twilio.validateRequest(authToken, signature, `${base}${request.url}`, formOf(request.body).fields);
}

/** The reply to a text message; null for no reply. */
async function answerSms(ports: InboundPorts, form: Form): Promise<string | null> {
  const { From: phone = '', Body: body = '' } = form.fields;
  const reply = parseSmsReply(body);
  if (reply.kind === 'subscription') return null;
  if (reply.kind === 'unclear') return inLanguage(await ports.languageOf({ phone, code: null }), smsHelp);
  const answerId = `twilio message ${form.fields.MessageSid || sha256(form.raw).toString('hex')}`;
  const answered = { phone, code: reply.code };
  const result = await ports.acknowledge(answered, 'sms', answerId);
  return inLanguage(await ports.languageOf(answered), () => acknowledgeAnswer(result, reply.code));
}

/** The next text in the call, in the language of the caller; null for a key without a meaning. */
async function answerKey(
  ports: InboundPorts,
  deliveryId: string,
  form: Form,
): Promise<(() => string) | null> {
  const { CallSid: call, Digits: key = '' } = form.fields;
  const answerId = `twilio call ${call || sha256(form.raw).toString('hex')} ${deliveryId} ${key}`;
  if (key === '4' || key === '1') {
    const result = await ports.acknowledge({ deliveryId }, 'voice', answerId);
    return () => spokenAcknowledgement(result);
  }
  if (key === '6') {
    const result = await ports.escalate({ deliveryId }, 'voice', answerId);
    // The page is open, so that the person can still acknowledge it in this call.
    return result.outcome === 'no_stages' ? null : () => spokenEscalation(result);
  }
  return null;
}

function spokenAcknowledgement({ outcome, by }: AcknowledgeResult): string {
  const sentences: Record<AcknowledgeResult['outcome'], string> = {
    acknowledged: t('You have acknowledged the page. Thank you.'),
    already: acknowledgedAlready(by),
    not_open: t('This page is no longer open.'),
    choose: t('Several pages are open. Open the dashboard to choose one.'),
    unknown: t('This page no longer exists.'),
  };
  return sentences[outcome];
}

function acknowledgedAlready(by?: string | null): string {
  return by
    ? t('{who} has acknowledged this page already.', { who: by })
    : t('This page is acknowledged already.');
}

type SpokenEscalation = Exclude<EscalateResult, { outcome: 'no_stages' }>;

function spokenEscalation(result: SpokenEscalation): string {
  if (result.outcome === 'escalated') return escalatedText(result);
  if (result.outcome === 'acknowledged') return acknowledgedAlready(result.by);
  const sentences: Record<Exclude<SpokenEscalation['outcome'], 'escalated' | 'acknowledged'>, string> = {
    already: t('This page is escalated already.'),
    not_open: t('This page is no longer open.'),
    unknown: t('This page no longer exists.'),
  };
  return sentences[result.outcome];
}

async function messageTwiml(text: string | null): Promise<string> {
  const { default: twilio } = await import('twilio');
  const response = new twilio.twiml.MessagingResponse();
  if (text !== null) response.message(text);
  return response.toString();
}

function sendXml(reply: FastifyReply, xml: string): FastifyReply {
  return reply.type('text/xml; charset=utf-8').send(xml);
}
