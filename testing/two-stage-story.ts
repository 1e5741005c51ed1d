import { type Story, story, webhookPeople } from './story.ts';

/** The team `sre` notifies Ada, then Grace. Edsger is in no team, and Linus is unreachable. */
export function twoStageStory(): Promise<Story> {
  return story({
    organization: (receiver) => ({
      people: { ...webhookPeople(receiver, 'ada', 'grace', 'edsger'), linus: {} },
      teams: {
        sre: {
          members: ['ada', 'grace'],
          schedules: [{ stages: [['ada'], ['grace']], backstop: 'grace' }],
        },
      },
    }),
  });
}

/** Pages the team, which notifies Ada, and returns the page's id. */
export async function pageTheTeam(t: Story, body: Record<string, unknown> = {}): Promise<string> {
  const { page } = await t.status(await t.page('team', 'sre', { urgency: 'high', ...body }));
  await t.notified('ada');
  return page.id;
}
