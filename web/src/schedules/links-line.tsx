import { Link } from '@tanstack/react-router';
import type { ScheduleSettings } from '../../../src/schedules/settings-contract.ts';
import { Rich } from '../language/rich.tsx';

/** What the stages of a schedule are linked to, and which stages of other schedules are linked to it. */
export function LinksLine({ schedule: { stages, links } }: { schedule: ScheduleSettings }) {
  return (
    <>
      {stages.map(
        ({ stage, linked_to: target }) =>
          target && (
            <p key={stage}>
              <Rich
                text="Stage {stage} is answered by the people of <link>{name}</link>, stage {target}."
                stage={stage}
                name={target.name}
                target={target.stage}
                link={(text) => (
                  <Link to="/schedules/$id" params={{ id: target.schedule }}>
                    {text}
                  </Link>
                )}
              />
            </p>
          ),
      )}
      {links.map((link) => (
        <p key={`${link.schedule} ${link.stage}`} className="muted">
          <Rich
            text="The people of stage {target} also answer stage {stage} of <link>{name}</link>."
            target={link.target}
            stage={link.stage}
            name={link.name}
            link={(text) => (
              <Link to="/schedules/$id" params={{ id: link.schedule }}>
                {text}
              </Link>
            )}
          />
        </p>
      ))}
    </>
  );
}
