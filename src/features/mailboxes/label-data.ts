import { Type } from 'typebox';
import { invalidField } from '../../kernel/errors.ts';
import { named, text } from '../../kernel/fields.ts';

/** Labels on one message. */
const LABELS_MAX = 20;

/** Letters and digits of any script, and `_ . : / -` and single spaces between them. Upper and lower case differ. */
export const Label = named(
  'Label',
  text(64, {
    pattern: '^[\\p{L}\\p{N}]+(?:[ _.:/-]+[\\p{L}\\p{N}]+)*$',
    description: 'Up to 64 letters and digits, with `_`, `.`, `:`, `/`, `-` or spaces between them.',
  }),
);

const labels = (description: string) => Type.Optional(Type.Array(Label, { maxItems: LABELS_MAX, description }));

/** The part of a body that changes labels. */
export const labelFields = {
  labels: labels('All labels from now on, in place of those there are.'),
  add_labels: labels(`Labels to add; a message has at most ${LABELS_MAX}.`),
  remove_labels: labels('Labels to take off; one that is not there changes nothing.'),
};

export interface LabelChange {
  labels?: readonly string[] | undefined;
  add_labels?: readonly string[] | undefined;
  remove_labels?: readonly string[] | undefined;
}

/** What a change makes of the labels of a message. @throws ApiError `invalid_request` when they would be too many */
export function changedLabels(current: readonly string[], change: LabelChange) {
  const { labels: replaced = current, add_labels: more = [], remove_labels: fewer = [] } = change;
  const wanted = [...new Set([...replaced, ...more])].filter((label) => !fewer.includes(label));
  const path = more.length > 0 ? '/body/add_labels' : '/body/labels';
  if (wanted.length > LABELS_MAX) throw invalidField(path, 'too_many', `A message has at most ${LABELS_MAX} labels.`);
  return {
    labels: wanted,
    added: wanted.filter((label) => !current.includes(label)),
    removed: current.filter((label) => !wanted.includes(label)),
  };
}
