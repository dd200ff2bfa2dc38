import { encodePng } from "./src/pictures/encode.ts";
import { Studio } from "./src/models/studio.ts";
const size = Number(process.argv[2] ?? 1024);
const s = new Studio();
for (const p of ["a lighthouse at dusk","misty mountains at dawn with a lake","a ringed planet in a nebula","abstract silk","bauhaus poster","forest","city night","poppies meadow", "desert dunes"]) { let best=1e9, enc=1e9, cpu=1e9, bytes=0; for (let k=0;k<4;k++){const c=process.cpuUsage(); const t=performance.now(); const px=await s.render({kind:"picture",prompt:p,seed:"1",width:size,height:size}); const r=performance.now(); const u=process.cpuUsage(c); const png=await encodePng(px,size,size); best=Math.min(best,r-t); enc=Math.min(enc,performance.now()-r); cpu=Math.min(cpu,(u.user+u.system)/1000); bytes=png.length;} console.log(p.padEnd(38), "render", Math.round(best), "ms, cpu", Math.round(cpu), "png", Math.round(enc), "ms", (bytes/1e6).toFixed(2),"MB"); }
await s.close();
