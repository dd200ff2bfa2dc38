import { renderPicture } from "./src/pictures/picture.ts";
const size = Number(process.argv[2] ?? 1024);
for (const p of ["a lighthouse at dusk","misty mountains at dawn with a lake","a ringed planet in a nebula","abstract silk","bauhaus poster","forest","city night","poppies meadow", "desert dunes"]) { for (let k=0;k<2;k++){const c=process.cpuUsage(); const t=performance.now(); renderPicture({prompt:p,seed:"1",width:size,height:size}); const u=process.cpuUsage(c); if(k) console.log(p, "wall", Math.round(performance.now()-t), "cpu", Math.round((u.user+u.system)/1000));} }
