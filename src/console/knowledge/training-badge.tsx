import type { KnowledgeBase } from '../../client/api.generated.ts';
import { Badge } from '../ui/badge.tsx';
import { statusView } from './training-status.ts';

interface TrainingBadgeProps {
  readonly base: Pick<KnowledgeBase, 'status' | 'statusReason'>;
}

/** Training status of a knowledge base in a word or two. */
export function TrainingBadge({ base }: TrainingBadgeProps) {
  const { text, tone, live } = statusView(base);
  return (
    <Badge tone={tone} live={live}>
      {text}
    </Badge>
  );
}
