import type { Workflow } from './first-workflow.ts';
import { describeWorkflow, layOut, type PlacedStep, STEP } from './layout.ts';

interface WorkflowPictureProps {
  readonly workflow: Workflow;
  /** Called with the index of the step that was clicked. */
  readonly onOpen: (index: number) => void;
}

const LONGEST_LABEL = 18;

/** Draws the steps. Screen readers get a sentence instead, and the list below holds the same information. */
export function WorkflowPictureView({ workflow, onOpen }: WorkflowPictureProps) {
  const { width, height, steps, edges } = layOut(workflow);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
    <section class="workflow-picture" tabIndex={0} aria-label="Picture of the workflow">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={describeWorkflow(workflow)}
      >
        <defs>
          <marker
            id="workflow-arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto-start-reverse"
          >
            <path class="workflow-arrow" d="M0 0 8 4 0 8Z" />
          </marker>
        </defs>
        {edges.map(({ path, back }, index) => (
          <path
            key={index}
            class="workflow-edge"
            data-back={back || undefined}
            d={path}
            marker-end="url(#workflow-arrow)"
          />
        ))}
        {steps.map((step) => (
          <Step
            key={step.id}
            step={step}
            onOpen={() => onOpen(workflow.nodes.findIndex(({ id }) => id === step.id))}
          />
        ))}
      </svg>
    </section>
  );
}

function Step({ step, onOpen }: { readonly step: PlacedStep; readonly onOpen: () => void }) {
  const { x, y, label, start, end, stray } = step;
  const kind = stray ? 'stray' : start ? 'start' : end ? 'end' : undefined;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut only; the fields below can be reached without it
    <g class="workflow-step" data-kind={kind} onClick={onOpen}>
      <rect x={x} y={y} width={STEP.width} height={STEP.height} rx={end ? STEP.height / 2 : 8} />
      <text x={x + STEP.width / 2} y={y + STEP.height / 2}>
        {label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1)}…` : label}
      </text>
    </g>
  );
}
