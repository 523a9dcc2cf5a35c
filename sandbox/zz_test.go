package sandbox
import ("testing";"time";"fmt";"context")
func TestZZ(t *testing.T){ b:=time.Now(); r:=Probe(context.Background()); fmt.Println(time.Since(b), r.Level, r.Err); for _,f:=range r.Features{fmt.Printf("%v %s | %s | %s\n",f.OK,f.Name,f.Detail,f.Hint)}}
