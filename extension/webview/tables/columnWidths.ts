const CHARACTER_PX = 7.2;
const PADDING_PX = 18;
const LEAST_PX = 58;
const MOST_TEXT_PX = 230;
const MOST_NAME_PX = 320;
/** The first column stays in view: it leaves the others most of the room. */
const NAME_PART = 0.45;

/** A column, with all texts in it that are known. */
export interface ColumnTexts {
  readonly isNumber: boolean;
  /** Its heading among them. */
  readonly texts: readonly string[];
}

/**
 * How wide columns are, in pixels: the first has the rows' names.
 *
 * @param roomPx How wide the table is as it is seen.
 */
export function columnWidths(columns: readonly ColumnTexts[], roomPx: number): readonly number[] {
  const widths = columns.map(({ isNumber, texts }, index) => {
    const longest = texts.reduce((most, text) => Math.max(most, text.length), 0);
    const wanted = Math.max(LEAST_PX, Math.ceil(longest * CHARACTER_PX) + PADDING_PX);
    if (isNumber) return wanted;
    const most = index === 0 ? Math.min(MOST_NAME_PX, roomPx * NAME_PART) : MOST_TEXT_PX;
    return Math.round(Math.min(wanted, Math.max(most, LEAST_PX)));
  });
  return widths;
}
