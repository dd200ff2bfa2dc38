// A PDF of text and lines on A4, as ISO 32000 describes it: objects, a table of where they are, a trailer. Equal pages make equal
// bytes. Decision 0050 says why no library does this.
import { encodeText, type Face, widthOf } from "./helvetica.ts";

export const pageWidth = 595;
export const pageHeight = 842;

export interface PdfText {
  readonly x: number;
  // From the top.
  readonly y: number;
  readonly text: string;
  readonly size: number;
  readonly face?: Face;
  readonly align?: "left" | "right";
  // 0 is black.
  readonly gray?: number;
}

export interface PdfRule {
  readonly y: number;
  readonly from: number;
  readonly to: number;
}

export interface PdfPage {
  readonly texts: readonly PdfText[];
  readonly rules: readonly PdfRule[];
}

const fontNames: Readonly<Record<Face, string>> = { plain: "F1", bold: "F2" };

export function writePdf(title: string, pages: readonly PdfPage[]): Buffer {
  const kids = pages.map((_page, at) => `${5 + 2 * at} 0 R`).join(" ");
  const objects: Buffer[] = [
    bytes("<< /Type /Catalog /Pages 2 0 R /Lang (en) >>"),
    bytes(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`),
    font("Helvetica"),
    font("Helvetica-Bold"),
    ...pages.flatMap((page, at) => {
      const content = contentOf(page);
      return [
        bytes(
          `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pageWidth} ${pageHeight}] /Contents ${6 + 2 * at} 0 R ` +
            "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>",
        ),
        Buffer.concat([bytes(`<< /Length ${content.length} >>\nstream\n`), content, bytes("\nendstream")]),
      ];
    }),
    Buffer.concat([bytes("<< /Title "), literal(title), bytes(" >>")]),
  ];
  return assemble(objects);
}

function assemble(objects: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", "latin1")];
  const starts: number[] = [];
  let length = parts[0]?.length ?? 0;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  for (const [at, object] of objects.entries()) {
    starts.push(length);
    add(Buffer.concat([bytes(`${at + 1} 0 obj\n`), object, bytes("\nendobj\n")]));
  }
  const table = starts.map((start) => `${String(start).padStart(10, "0")} 00000 n \n`).join("");
  const count = objects.length + 1;
  const trailer = `trailer\n<< /Size ${count} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, bytes(`xref\n0 ${count}\n0000000000 65535 f \n${table}${trailer}`)]);
}

const bytes = (text: string) => Buffer.from(text, "latin1");
const font = (name: string) => bytes(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`);

function contentOf({ texts, rules }: PdfPage): Buffer {
  const lines = rules.map(({ y, from, to }) =>
    bytes(`0.75 G 0.5 w ${point(from)} ${point(pageHeight - y)} m ${point(to)} ${point(pageHeight - y)} l S\n`),
  );
  return Buffer.concat([...lines, ...texts.map(drawText)]);
}

function drawText({ x, y, text, size, face = "plain", align = "left", gray = 0 }: PdfText): Buffer {
  const left = align === "right" ? x - widthOf(text, size, face) : x;
  return Buffer.concat([
    bytes(`BT ${point(gray)} g /${fontNames[face]} ${size} Tf ${point(left)} ${point(pageHeight - y)} Td `),
    literal(text),
    bytes(" Tj ET\n"),
  ]);
}

const point = (value: number) => String(Math.round(value * 100) / 100);

// In hexadecimal: no character of a name can end the string.
function literal(text: string): Buffer {
  return bytes(`<${encodeText(text).toString("hex")}>`);
}
